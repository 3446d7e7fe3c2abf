import CoreDataFoundation

extension NSMappingModel {
    /// The mapping model for two models that the resources of some bundles have; nil if there is none.
    ///
    /// Looks for `.cdm` and `.xcmappingmodel` in the bundles, or, for nil, in all bundles of the program, beside its
    /// executable and in the resource bundles there. One is for the models if the version hashes of all entities that it
    /// names are theirs. Of several the one that names most entities is taken, then the first by place and name. A source
    /// whose copies of the models have other hashes is for the models too, where nothing else is, if its copies have the
    /// same entities with the same names of properties. What cannot be read is left out, with a line on standard error.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        self.init(
            in: bundles.map(ResourceFolders.folders) ?? ResourceFolders.all, forSourceModel: sourceModel,
            destinationModel: destinationModel)
    }

    /// The mapping model for two models at some places, each a mapping model or a folder with such; nil if there is none.
    package convenience init?(
        in folders: [URL], forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) {
        let search = MappingSearch(agreement: MappingAgreement(source: sourceModel, destination: destinationModel))
        guard let found = search.best(in: folders) else { return nil }
        self.init()
        entityMappings = found
    }
}

extension NSMappingModel {
    /// The entities that keep the mapping model from being used with two models; none if it is for them.
    package func entitiesDiffering(
        fromSource source: NSManagedObjectModel, destination: NSManagedObjectModel
    ) -> [String] {
        MappingAgreement(source: source, destination: destination).differing(entityMappings ?? [])
    }
}

/// Looks through files for the mapping model that suits two models best.
struct MappingSearch {
    let agreement: MappingAgreement

    /// The mappings of the best in some folders; nil for none.
    func best(in folders: [URL]) -> [NSEntityMapping]? { best(among: folders.flatMap(Self.candidates)) }

    /// The mappings of the best; nil for none.
    func best(among files: [URL]) -> [NSEntityMapping]? {
        var best: [NSEntityMapping]?
        var lagging: [NSEntityMapping]?
        for url in files {
            do {
                let file = try MappingFile(url)
                let mappings = try file.mappings(beside: url)
                if agreement.differing(mappings).isEmpty {
                    if Self.coverage(mappings) > Self.coverage(best ?? []) { best = mappings }
                } else if case .source(let source) = file, agreement.resembles(source, beside: url) {
                    let renewed = try MappingSourceCompilation(source, agreement.source, agreement.destination)
                        .mappings()
                    if Self.coverage(renewed) > Self.coverage(lagging ?? []) { lagging = renewed }
                }
            } catch {
                FileHandle.standardError.write(Data("CoreData: warning: \(error)\n".utf8))
            }
        }
        return best ?? lagging
    }

    private static func candidates(in folder: URL) -> [URL] {
        if isMapping(folder.lastPathComponent) { return [folder] }
        return BoundedFile.names(in: folder).filter(isMapping).map { folder.appendingPathComponent($0) }
    }

    private static func isMapping(_ name: String) -> Bool {
        name.hasSuffix(".cdm") || name.hasSuffix(".xcmappingmodel")
    }

    /// The number of entities that are named.
    private static func coverage(_ mappings: [NSEntityMapping]) -> Int {
        Set(mappings.compactMap(\.sourceEntityName)).count + Set(mappings.compactMap(\.destinationEntityName)).count
    }
}
