/**
 * `getConnectorForRun` tells the sync what it reads from; `openTarget` makes the factory that the provisioner is given, `openTargetConformance` the one that tries of targets are; `connectorHome` leads
 * from a connector id in a path to its tenant; `createConnector` adds one (seeding);
 * `manualConnector` finds or adds the one in which people who are added by hand live; `openSource` makes the factory of sources that are fetched;
 * `saveConfig` and `replaceConfig` keep a connector's configuration as its next version.
 */
export { getConnectorForRun, type RunConnector } from './connector-for-run.ts'
export { replaceConfig, saveConfig } from './connector-versions.store.ts'
export { connectorHome } from './connectors.store.ts'
export { createConnector, type NewConnector } from './create-connector.ts'
export { manualConnector } from './manual-connector.ts'
export { isFetched, type OpenSource, openSource } from './open-source.ts'
export { type OpenTarget, openTarget, openTargetConformance, type TargetFactory } from './open-target.ts'
export { CONFORMANCE_RUN, conformanceHandler } from './run-conformance.ts'
