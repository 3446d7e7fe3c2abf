import CoreDataFoundation

/// What the source of a mapping model (`xcmapping.xml`) says, before it is brought together with two models.
///
/// The source names entities and properties only. Which value a property without an expression gets depends on the models:
/// the source has a copy of each as the editor last saw it, and its path in the project.
struct MappingSource {
    struct Entity {
        var name: String?
        var sourceName: String?
        var destinationName: String?
        var policy: String?
        var filter: String?
        var userInfo: [AnyHashable: Any]?
        /// Whether the editor makes the expression of the source objects.
        var generatesExpression = true
        var attributes: [Property] = []
        var relationships: [Property] = []
    }

    struct Property {
        var name: String
        var expression: NSExpression?
        /// Whether the editor makes a missing expression.
        var generatesExpression = true
        /// The mapping whose objects a relationship leads to.
        var mappingName: String?
        /// What of the source is mapped so.
        var keyPath: String?
    }

    /// A model that the source names: where it was, and what it was like.
    struct ModelCopy {
        var path: String?
        var data: Data?
    }

    /// The mappings, in the order of the editor.
    var entities: [Entity] = []
    var sourceModel = ModelCopy()
    var destinationModel = ModelCopy()
    /// The number of objects of the source that belong to no mapping; the editor leaves such behind.
    var orphanCount = 0
}

extension MappingSource.ModelCopy {
    /// The model as the source has it, else the one at its path from the file's folder or one above; nil for neither.
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
