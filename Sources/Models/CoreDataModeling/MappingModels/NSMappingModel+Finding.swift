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
        let files = MappingModelFiles(in: folders)
        guard let found = files.mappings(from: sourceModel, to: destinationModel) else { return nil }
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
