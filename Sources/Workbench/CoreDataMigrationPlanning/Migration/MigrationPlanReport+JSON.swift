import CoreData

extension MigrationJob {
    /// The JSON members that describe the job; every report of a migration begins with them.
    var members: [(String, JSONValue)] {
        [
            ("store", .string(facts.url.place)),
            (
                "source",
                .object([
                    ("name", .string(source.name)), ("origin", .string(origin.rawValue)),
                    ("checksum", .string(source.model.versionChecksum)),
                ])
            ),
            (
                "destination",
                .object([
                    ("name", .string(destination.name)), ("checksum", .string(destination.model.versionChecksum)),
                ])
            ),
            ("configuration", .text(configuration)),
        ]
    }
}

extension MigrationPlanReport {
    /// The expected result of the migration: `upToDate`, `possible`, `losesData` or `refused`.
    package var verdict: String {
        if refusal != nil { return "refused" }
        if path.isEmpty { return "upToDate" }
        return losesData ? "losesData" : "possible"
    }

    package var json: JSONValue { .object([("result", .string(verdict))] + job.members + members) }

    var members: [(String, JSONValue)] {
        [
            ("path", .array(path.map(\.json))),
            (
                "steps",
                .array(
                    steps.map {
                        .object(
                            [("kind", .string($0.kind)), ("subject", .string($0.subject)), ("rows", .count($0.rows))]
                                + serverMembers($0.locks, $0.seconds))
                    })
            ),
            ("rows", .count(rows)), ("keepsIdentity", .bool(keepsIdentity)), ("estimate", estimate?.json ?? .null),
            ("losses", .array(losses.map(\.json))),
            (
                "collisions",
                .array(
                    collisions.map {
                        .object([
                            ("entity", .string($0.entity)),
                            ("properties", .array($0.properties.map { .string($0) })),
                        ])
                    })
            ),
            ("remarks", .array(remarks.map(\.json))), ("refusal", refusal?.json ?? .null),
        ]
    }

    /// The JSON members of a step that only stores on servers have: locks and seconds.
    private func serverMembers(_ locks: [SchemaMigrationPlan.Lock], _ seconds: Double?) -> [(String, JSONValue)] {
        guard job.isOnServer else { return [] }
        let listed = locks.map {
            JSONValue.object([
                ("table", .string($0.table)), ("mode", .string($0.mode)), ("rewrites", .bool($0.rewrites)),
            ])
        }
        return [
            ("locks", .array(listed)), ("seconds", seconds.map { .real(($0 * 1_000).rounded() / 1_000) } ?? .null),
        ]
    }

    /// The statements that would run, in order.
    package var statementList: [JSONValue] {
        statements.map {
            .object(
                [("kind", .string($0.kind)), ("subject", .string($0.subject)), ("statement", .string($0.statement))]
                    + serverMembers($0.lock.map { [$0] } ?? [], $0.seconds))
        }
    }
}

extension MigrationPlanReport {
    /// The report as JSON with the refusal of a migration that failed when it was run.
    package func refused(_ refusal: MigrationRefusal) -> JSONValue {
        let others = members.filter { $0.0 != "refusal" }
        return .object([("result", .string("refused"))] + job.members + others + [("refusal", refusal.json)])
    }
}
