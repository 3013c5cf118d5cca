import { Box, Button, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { Answered, Loading } from "~/parts/states";
import { OrderTable } from "./OrderTable";
import { text } from "./text";
import type { useOrders } from "./useOrders";

interface OrderListProps {
  orders: ReturnType<typeof useOrders>;
  /** If there is none. */
  empty: ReactNode;
}

/** The pages of a list of orders that have loaded, and a button for the next. */
export function OrderList({ orders, empty }: OrderListProps) {
  return (
    <Stack>
      <Answered query={orders} loading={<Loading rows={8} height={44} />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.Values);
          if (rows.length === 0) return empty;
          return (
            <Box opacity={orders.isPlaceholderData ? 0.6 : 1}>
              <OrderTable orders={rows} />
            </Box>
          );
        }}
      </Answered>
      {orders.hasNextPage && (
        <Button
          variant="default"
          loading={orders.isFetchingNextPage}
          onClick={() => void orders.fetchNextPage()}
        >
          {text.more}
        </Button>
      )}
    </Stack>
  );
}
