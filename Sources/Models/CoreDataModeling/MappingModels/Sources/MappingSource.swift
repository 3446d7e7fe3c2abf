import CoreDataFoundation

/// The contents of a mapping model's source (`xcmapping.xml`), before it is compiled with two models.
///
/// The source names entities and properties only. The value of a property without an expression depends on the models:
/// the source has a copy of each as the editor last read it, and its path in the project.
struct MappingSource {
    struct Entity {
        var name: String?
        var sourceName: String?
        var destinationName: String?
        var policy: String?
        var filter: String?
        var userInfo: [AnyHashable: Any]?
        var attributes: [Property] = []
        var relationships: [Property] = []
    }

    struct Property {
        var name: String
        var expression: NSExpression?
        /// Whether a missing expression is to be generated. Xcode writes this setting for relationships only.
        var generatesExpression = true
        /// The name of the mapping that makes the related objects of a relationship.
        var mappingName: String?
        /// The key path to the source objects that `mappingName` maps.
        var keyPath: String?
    }

    /// A model to which the source refers: its path, and a copy of it.
    struct ModelCopy {
        var path: String?
        var data: Data?
    }

    /// The mappings, in the order of the editor.
    var entities: [Entity] = []
    var sourceModel = ModelCopy()
    var destinationModel = ModelCopy()
    /// The number of objects of the source that do not belong to a mapping, which the editor leaves in it.
    var orphanCount = 0
}

extension MappingSource.ModelCopy {
    /// Reads the copy in the source, or else the model at the path, relative to the file's folder or one of seven above
    /// it; nil if there is neither.
    func read(beside file: URL?) -> NSManagedObjectModel? {
        if let data, let model = try? NSManagedObjectModel(binarySource: data) { return model }
        guard let path, !path.isEmpty, !path.hasPrefix("/"), !path.split(separator: "/").contains("..") else {
            return nil
        }
        var folder = file?.deletingLastPathComponent()
        for _ in 0..<8 {
            guard let place = folder else { return nil }
            let candidate = place.appendingPathComponent(path)
            if BoundedFile.exists(candidate), let model = try? NSManagedObjectModel(reading: candidate) { return model }
            folder = place.path == "/" ? nil : place.deletingLastPathComponent()
        }
        return nil
    }
}
