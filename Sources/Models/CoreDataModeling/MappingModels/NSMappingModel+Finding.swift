import CoreDataFoundation

extension NSMappingModel {
    /// Finds the mapping model for two models in the resources of bundles; nil if there is none.
    ///
    /// Searches `.cdm` and `.xcmappingmodel` files in the bundles, or, for nil, in all bundles of the program, beside
    /// its executable and in the resource bundles there. A mapping model fits if the version hashes of all entities
    /// that it names are those of the models. Of several, the one that names the most entities is used, then the first
    /// by location and name. If none fits, a source is used in whose copies of the models the mapped entities have the
    /// same property names, even if the hashes differ. Files that cannot be read are left out with a warning.
    public convenience init?(
        from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
        destinationModel: NSManagedObjectModel?
    ) {
        guard let sourceModel, let destinationModel else { return nil }
        self.init(
            in: bundles.map(ResourceFolders.folders) ?? ResourceFolders.all, forSourceModel: sourceModel,
            destinationModel: destinationModel)
    }

    /// Finds the mapping model for two models at some locations, each a mapping model or a folder that contains some.
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
    /// The entities for which the mapping model does not fit two models; empty if it fits.
    package func entitiesDiffering(
        fromSource source: NSManagedObjectModel, destination: NSManagedObjectModel
    ) -> [String] {
        MappingAgreement(source: source, destination: destination).differing(entityMappings ?? [])
    }
}
