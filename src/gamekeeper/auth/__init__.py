"""Access: who may call, with what, how often they may guess."""
