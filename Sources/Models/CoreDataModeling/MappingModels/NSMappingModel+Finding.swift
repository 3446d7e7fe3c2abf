import CoreDataFoundation

extension NSMappingModel {
    /// The mapping model for two models in the resources of some bundles; nil if none is found.
    ///
    /// Looks for `.cdm` and `.xcmappingmodel` in the bundles, or, for nil, in all bundles of the program, beside its
    /// executable and in the resource bundles there. A mapping model fits if the version hashes of all entities that it
    /// names are those of the models. Of several the one that names most entities is used, then the first by place and name.
    /// If none fits, a source whose copies of the models have other hashes is used if its copies have the same entities
    /// with the same property names. Files that cannot be read are left out, with a line on standard error.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        self.init(
            in: bundles.map(ResourceFolders.folders) ?? ResourceFolders.all, forSourceModel: sourceModel,
            destinationModel: destinationModel)
    }

    /// The mapping model for two models at some places, each a mapping model or a folder with such; nil if none is found.
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
