import CoreDataGraph

/// The cheapest path from one version to another, by way of known versions.
///
/// A step is inferred or uses a mapping model. A mapping model from the source to the destination is always used, as in
/// Apple's framework. Otherwise the path with the lowest total cost is chosen: a loss of data costs most, then
/// rewriting all objects (a mapping model), then changing the schema (inference). An inferred step must not lose data
/// that the destination has: otherwise a path by way of an unrelated model among the resources, which loses everything,
/// would be possible.
package struct MigrationPath {
    package let legs: [MigrationLeg]

    private enum Cost {
        static let inferred = 1
        static let mapped = 10
        static let loss = 1_000
    }

    /// - Parameters:
    ///   - isInferring: whether steps may be inferred.
    ///   - known: the versions by way of which the path may lead.
    ///   - mapping: returns the mapping model from one version to another; nil if there is none.
    /// - Throws: `NSMigrationMissingMappingModelError` if there is no mapping model and `isInferring` is false,
    ///   `NSInferredMappingModelError` with the obstacles to inference.
    package init(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, isInferring: Bool,
        known: @autoclosure () -> [NSManagedObjectModel],
        mapping: @escaping (NSManagedObjectModel, NSManagedObjectModel) -> NSMappingModel?, url: URL,
        configuration: String? = nil
    ) throws {
        if let direct = mapping(source, destination) {
            legs = [MigrationLeg(source: source, destination: destination, mapping: direct)]
            return
        }
        let analysis = MigrationAnalysis(from: source, to: destination, configuration: configuration)
        let isInferrable = isInferring && analysis.obstacles.isEmpty
        if isInferrable, analysis.losses.isEmpty {
            legs = [.inferred(from: source, to: destination)]
            return
        }
        let between = known()
        let search = Search(
            [source, destination] + between, isInferring: isInferring, configuration: configuration, mapping)
        if let found = search.cheapest() {
            legs = found
        } else if isInferring {
            throw MigrationErrors.notInferred(analysis.obstacles, url: url)
        } else {
            throw MigrationErrors.noMappingModel(url)
        }
    }

    /// Makes a path whose steps may be inferred or use mapping models at the given URLs, which may also be those of
    /// folders.
    ///
    /// - Throws: `NSInferredMappingModelError` with the obstacles to inference.
    package init(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel, known: [NSManagedObjectModel],
        mappings: [URL], url: URL, configuration: String? = nil
    ) throws {
        try self.init(
            from: source, to: destination, isInferring: true, known: known,
            mapping: MappingModelFiles(in: mappings).mappingModel, url: url, configuration: configuration)
    }

    /// Dijkstra's algorithm over versions: the first is the source, the second is the destination.
    private struct Search {
        private let versions: [NSManagedObjectModel]
        private let isInferring: Bool
        private let configuration: String?
        private let mapping: (NSManagedObjectModel, NSManagedObjectModel) -> NSMappingModel?

        init(
            _ versions: [NSManagedObjectModel], isInferring: Bool, configuration: String?,
            _ mapping: @escaping (NSManagedObjectModel, NSManagedObjectModel) -> NSMappingModel?
        ) {
            var seen = Set<String>()
            self.versions = versions.filter { seen.insert($0.versionChecksum).inserted }
            self.isInferring = isInferring
            self.configuration = configuration
            self.mapping = mapping
        }

        func cheapest() -> [MigrationLeg]? {
            guard versions.count > 1 else { return nil }
            var costs = [0: 0]
            var arrivals: [Int: (from: Int, leg: MigrationLeg)] = [:]
            var open = Set(versions.indices)
            while let next = open.filter({ costs[$0] != nil }).min(by: { (costs[$0] ?? 0, $0) < (costs[$1] ?? 0, $1) })
            {
                if next == 1 { break }
                open.remove(next)
                for target in open {
                    guard let (leg, price) = step(next, target) else { continue }
                    let total = (costs[next] ?? 0) + price
                    if total < costs[target] ?? .max { (costs[target], arrivals[target]) = (total, (next, leg)) }
                }
            }
            guard costs[1] != nil else { return nil }
            var legs: [MigrationLeg] = []
            var place = 1
            while let arrival = arrivals[place] {
                legs.insert(arrival.leg, at: 0)
                place = arrival.from
            }
            return legs
        }

        /// Whether any of the losses affects data that the destination of the path has.
        private func dropsWanted(_ losses: [MigrationAnalysis.Finding], of old: NSManagedObjectModel) -> Bool {
            guard !losses.isEmpty else { return false }
            let matching = ModelMatching(old, versions[1])
            return losses.contains { loss in
                guard let entity = old.entitiesByName[loss.item.entity ?? loss.item.name],
                    let last = matching.new(of: entity)
                else { return false }
                guard loss.item.kind != .entity else { return !last.isAbstract }
                // The name of a composite attribute's element follows the attribute's name and a dot.
                let names = loss.item.name.split(separator: ".").map(String.init)
                return ModelMatching.properties(entity, last).contains {
                    $0.old.name == names.first && $0.new.isStored
                        && Self.hasElement(Array(names.dropFirst()), of: $0.old, $0.new)
                        && !(loss.isRounding && Self.isRounded($0.old, $0.new))
                }
            }
        }

        /// Whether the new attribute has the element at a path in the old one; true for an empty path, which means the
        /// attribute itself.
        private static func hasElement(
            _ path: [String], of old: NSPropertyDescription, _ new: NSPropertyDescription
        ) -> Bool {
            guard !path.isEmpty, let old = old as? NSAttributeDescription, let new = new as? NSAttributeDescription
            else { return true }
            return CompositeMatching.origins(of: new, in: old).values.contains { $0.path == path }
        }

        /// Whether the destination of the path cannot store the lost digits either.
        private static func isRounded(_ old: NSPropertyDescription, _ last: NSPropertyDescription) -> Bool {
            guard let old = old as? NSAttributeDescription, let last = last as? NSAttributeDescription else {
                return false
            }
            return CompositeMatching.conversions(of: last, from: old).contains(where: \.conversion.rounds)
        }

        private func step(_ from: Int, _ to: Int) -> (MigrationLeg, Int)? {
            let (old, new) = (versions[from], versions[to])
            if let mapping = mapping(old, new) {
                return (MigrationLeg(source: old, destination: new, mapping: mapping), Cost.mapped)
            }
            guard isInferring else { return nil }
            let analysis = MigrationAnalysis(from: old, to: new, configuration: configuration)
            guard analysis.obstacles.isEmpty, !dropsWanted(analysis.losses, of: old) else { return nil }
            return (.inferred(from: old, to: new), Cost.inferred + analysis.losses.count * Cost.loss)
        }
    }
}
