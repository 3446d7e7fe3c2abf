import CoreData

/// What came of migrating generated stores of a model's older versions to the current one.
package struct ModelTrialReport {
    /// What to try.
    package struct Request {
        package var package: URL
        /// The versions to begin with; all but the current one for none.
        package var origins: [String] = []
        /// About how many objects a store gets.
        package var objects = 200
        package var seed: UInt64 = 1
        /// Files of mapping models, for what cannot be inferred.
        package var mappings: [URL] = []

        package init(package: URL) { self.package = package }
    }

    package let request: Request
    package private(set) var outcomes: [VersionTrial.Outcome] = []

    /// Tries all paths; stores are made in the temporary folder and removed.
    ///
    /// - Throws: `InspectionError` for a package that cannot be read, has one version alone, or lacks one that is named.
    package init(_ request: Request) throws {
        self.request = request
        let package = try ModelPackage(at: request.package)
        let current = try package.current()
        let versions = package.versions.map { VersionTrial.Version(name: $0.name, model: $0.model) }
        guard versions.count > 1, let place = package.versions.firstIndex(where: { $0.name == current.name }) else {
            throw InspectionError(
                .unreadable, subject: request.package.path, cause: "it has no older version to migrate from",
                hint: "give a package of several versions")
        }
        for version in versions { ObjectClassResolver.expectMissingClasses(of: version.model) }
        let names = Set(versions.map(\.name)).subtracting([current.name])
        for origin in request.origins where !names.contains(origin) {
            let others = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw InspectionError(
                .unreadable, subject: request.package.path, cause: "there is no older version '\(origin)'",
                hint: "there are \(others)")
        }
        let trial = VersionTrial(
            versions, current: place, objects: request.objects, seed: request.seed
        ) { url, from, to in try Self.migrate(url, old: from.model, new: to.model, mappings: request.mappings) }
        try trial.run(from: request.origins.isEmpty ? nil : Set(request.origins)) { outcomes.append($0) }
    }

    /// One step, by a mapping model or by inference; whether objects keep their keys.
    private static func migrate(
        _ url: URL, old: NSManagedObjectModel, new: NSManagedObjectModel, mappings: [URL]
    ) throws -> Bool {
        guard old.entityVersionHashesByName != new.entityVersionHashesByName else { return true }
        let path = try MigrationPath(
            from: old, to: new, known: [], mappings: mappings, url: url)
        for leg in path.legs {
            try leg.runQuietly(url, configuration: nil, storeClass: SQLiteStore.self, type: .sqlite)
        }
        return path.legs.allSatisfy { $0.mapping == nil }
    }

    /// The older versions from which no path led to the current one.
    package var stranded: [String] {
        let reached = Set(outcomes.filter(\.hasPassed).compactMap(\.path.first))
        return Array(Set(outcomes.compactMap(\.path.first)).subtracting(reached)).sorted()
    }

    /// Whether nothing came out wrong and every version reaches the current one.
    package var hasPassed: Bool { stranded.isEmpty && !outcomes.contains(where: \.isWrong) }

    package var json: JSONValue {
        .object([
            ("result", .string(hasPassed ? "passed" : "failed")), ("seed", .string("\(request.seed)")),
            ("stranded", .array(stranded.map { .string($0) })), ("paths", .array(outcomes.map(\.json))),
        ])
    }
}

extension VersionTrial.Outcome {
    /// Whether the current version was reached, and everything is as it was.
    package var hasPassed: Bool { if case .passed = result { true } else { false } }

    /// Whether something was changed that was not to be.
    package var isWrong: Bool { if case .wrong = result { true } else { false } }

    fileprivate var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .array(path.map { .string($0) })), ("objects", .count(objects)),
        ]
        switch result {
        case .passed:
            members += [("result", .string("passed")), ("step", .null), ("code", .null), ("problems", .array([]))]
        case .refused(let code, let reason, let step):
            members += [
                ("result", .string("refused")), ("step", .string(step)), ("code", .count(code)),
                ("problems", .array([.string(reason)])),
            ]
        case .wrong(let differences, let step):
            members += [
                ("result", .string("wrong")), ("step", .string(step)), ("code", .null),
                ("problems", .array(differences.map { .string($0) })),
            ]
        }
        return .object(members)
    }
}
