import CoreData

extension MigrationScaffold {
    /// The report as JSON: the written files, the mappings and the decisions that the developer must make.
    package func json(written files: [URL]) -> JSONValue {
        .object([
            ("result", .string(isUnneeded ? "unneeded" : "written")), ("source", .string(source)),
            ("destination", .string(destination)), ("files", .array(files.map { .string($0.path) })),
            ("mappings", .array(isUnneeded ? [] : mappingModel.entityMappings.map(Self.json))),
            ("decisions", .array(decisions.map(\.json))),
        ])
    }

    private static func json(_ mapping: NSEntityMapping) -> JSONValue {
        .object([
            ("name", .text(mapping.name)), ("type", .string(mapping.mappingType.word)),
            ("source", .text(mapping.sourceEntityName)), ("destination", .text(mapping.destinationEntityName)),
            ("policy", .text(mapping.entityMigrationPolicyClassName)),
        ])
    }
}

extension ScaffoldDecision {
    fileprivate var json: JSONValue {
        .object(
            item.members + [
                ("policy", .string(policy)), ("reasons", .array(reasons.map { .string($0) })),
                ("conversion", .text(conversion)), ("line", .count(line)),
            ])
    }
}
