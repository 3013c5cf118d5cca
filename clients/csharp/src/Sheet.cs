using System;

namespace Gamekeeper
{
    /// <summary>What a game saves of a character; what is null stays as it is.</summary>
    public sealed class Sheet
    {
        /// <summary>The map.</summary>
        public Guid? MapId { get; set; }

        /// <summary>The name of the map.</summary>
        public string MapName { get; set; }

        /// <summary>The column.</summary>
        public int? X { get; set; }

        /// <summary>The row.</summary>
        public int? Y { get; set; }

        /// <summary>The layer.</summary>
        public int? Z { get; set; }

        /// <summary>Where it looks.</summary>
        public int? Dir { get; set; }

        /// <summary>The class.</summary>
        public Guid? ClassId { get; set; }

        /// <summary>The gender.</summary>
        public int? Gender { get; set; }

        /// <summary>The picture of its body.</summary>
        public string Sprite { get; set; }

        /// <summary>The picture of its face.</summary>
        public string Face { get; set; }

        /// <summary>The color of its name.</summary>
        public string NameColor { get; set; }

        /// <summary>Points not spent yet.</summary>
        public int? StatPoints { get; set; }

        /// <summary>Health and mana.</summary>
        public int[] Vitals { get; set; }

        /// <summary>The most of each.</summary>
        public int[] MaxVitals { get; set; }

        /// <summary>The five stats.</summary>
        public int[] BaseStats { get; set; }

        /// <summary>Points spent on each stat.</summary>
        public int[] StatPointAllocations { get; set; }

        /// <summary>The inventory slots that are worn, -1 for none.</summary>
        public int[] Equipment { get; set; }

        internal JsonObject Write(JsonObject move)
        {
            return move.SetIfAny("mapid", MapId).SetIfAny("mapname", MapName)
                .SetIfAny("x", X).SetIfAny("y", Y).SetIfAny("z", Z).SetIfAny("dir", Dir)
                .SetIfAny("classid", ClassId).SetIfAny("gender", Gender)
                .SetIfAny("sprite", Sprite).SetIfAny("face", Face).SetIfAny("namecolor", NameColor)
                .SetIfAny("statpoints", StatPoints).SetIfAny("vitals", Vitals)
                .SetIfAny("maxvitals", MaxVitals).SetIfAny("basestats", BaseStats)
                .SetIfAny("statpointallocations", StatPointAllocations)
                .SetIfAny("equipment", Equipment);
        }
    }
}
