/** What the controller says of reports that it lost since it started. */
export async function resultsLost({ url }: { readonly url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^glovebox_results_lost_total (\d+)$/m.exec(metrics)?.[1]);
}
