import CoreDataFoundation

extension NSMappingModel {
    /// Compiles the source of a mapping model with the versions of models in a build.
    ///
    /// For each side, the version whose path ends like that in the source is used, otherwise the source's copy.
    /// - Returns: the model, and sentences about entities and properties that it names but the models lack.
    /// - Throws: `ModelingError` with path and line.
    package static func compile(
        _ url: URL, withModels versions: [URL]
    ) throws -> (model: NSMappingModel, problems: [String]) {
        guard case .source(let source) = try MappingFile(url) else {
            throw ModelingError(.unsupportedForm, "it is no source of a mapping model").at(path: url.path)
        }
        let old = try source.sourceModel.read(beside: url, among: versions)
        let new = try source.destinationModel.read(beside: url, among: versions)
        let model = NSMappingModel()
        do {
            model.entityMappings = try MappingSourceCompilation(source, sourceModel: old, destinationModel: new)
                .mappings()
        } catch let error as ModelingError {
            throw error.at(path: url.path)
        }
        return (model, model.problems(with: old, new))
    }

    private func problems(with old: NSManagedObjectModel?, _ new: NSManagedObjectModel?) -> [String] {
        (entityMappings ?? []).flatMap { mapping -> [String] in
            let name = mapping.name ?? ""
            var problems: [String] = []
            if let old, let entity = mapping.sourceEntityName, old.entitiesByName[entity] == nil {
                problems.append("the mapping '\(name)' is from '\(entity)', which the source model lacks")
            }
            guard let new, let entity = mapping.destinationEntityName else { return problems }
            guard let properties = new.entitiesByName[entity]?.propertiesByName else {
                return problems + ["the mapping '\(name)' is to '\(entity)', which the destination model lacks"]
            }
            let mapped = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
            return problems
                + mapped.compactMap(\.name).filter { properties[$0] == nil }.map {
                    "the mapping '\(name)' has '\($0)', which '\(entity)' of the destination model lacks"
                }
        }
    }
}

extension MappingSource.ModelCopy {
    /// Reads the version in a build that has the file name of this model, or else what `read(beside:)` finds.
    ///
    /// - Throws: `ModelingError` for a version of the build that cannot be read.
    func read(beside url: URL, among versions: [URL]) throws -> NSManagedObjectModel? {
        let steps = (path ?? "").split(separator: "/").suffix(2).map(String.init)
        let named = versions.filter { $0.lastPathComponent == steps.last }
        let best = named.first { $0.deletingLastPathComponent().lastPathComponent == steps.first } ?? named.first
        guard let best else { return read(beside: url) }
        let model = NSManagedObjectModel()
        model.adopt(try ModelReading.assembly(at: best))
        return model
    }
}
