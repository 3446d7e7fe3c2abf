import CoreData

/// An atomic store (XML, binary) that is opened even if records of its file are faulty.
///
/// Opening it reports each faulty record and does not load what is faulty.
struct WholeFileReading {
    let store: NSPersistentStore
    private let coordinator: NSPersistentStoreCoordinator

    /// Calls `report` with each fault of the records that loading finds.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain` for a file that cannot be read to its end.
    init(_ facts: StoreFacts, model: StoreModel, isReadOnly: Bool, report: @escaping (LoadFault) -> Void) throws {
        coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: OpenStore.prepared(model.model, for: isReadOnly ? .reading : .editing))
        store = try coordinator.addPersistentStore(
            type: facts.type, configuration: model.configuration, at: facts.url,
            options: LoadFault.options(report: report).merging([NSReadOnlyPersistentStoreOption: isReadOnly]) { $1 })
    }

    /// Validates all objects and calls `report` with each failure, except for missing values of attributes and to-one
    /// relationships, which loading reported.
    ///
    /// - Throws: the error of a fetch that fails.
    func findBrokenRules(_ report: (StoreFinding) -> Void) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for entity in coordinator.managedObjectModel.entities where entity.superentity == nil {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                for object in try context.fetch(request) {
                    do { try object.validateForUpdate() } catch {
                        let error = error as NSError
                        for failure in error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error] {
                            if let finding = Self.finding(failure, object) { report(finding) }
                        }
                    }
                }
            }
        }
    }

    /// The finding for a validation error; nil for a missing value that loading the file has already reported.
    private static func finding(_ failure: NSError, _ object: NSManagedObject) -> StoreFinding? {
        let key = failure.userInfo[NSValidationKeyErrorKey] as? String
        let isCount = key.flatMap { object.entity.relationshipsByName[$0] }?.isToMany == true
        guard failure.code != NSValidationMissingMandatoryPropertyError || isCount else { return nil }
        let isEmpty =
            failure.code == NSValidationRelationshipLacksMinimumCountError
            && key.map { object.hasNoMembers($0) } == true
        let sentence =
            isEmpty
            ? "The relationship is required and leads to no object."
            : isCount
                ? "The relationship leads to more or fewer objects than the model allows."
                : "The value breaks a rule of the model (\(failure.code))."
        return StoreFinding(
            isEmpty ? .missingValue : .brokenRule, sentence, entity: object.entity.name,
            object: "\(object.entity.name ?? "?")/\(object.objectID.uriRepresentation().lastPathComponent)",
            property: key)
    }

    /// Writes the loaded records to the file, which thereby loses the faulty ones.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; the file is then unchanged.
    func write() throws {
        try store.serialized {
            store.hasUnsavedMetadata = true
            _ = try store.objects?.save(SavePlan())
        }
    }

    /// Removes the store from its coordinator and ignores an error of that.
    func close() { try? coordinator.remove(store) }
}

extension LoadFault {
    /// The finding that reports the fault.
    var finding: StoreFinding {
        let start = reason.prefix(1).uppercased() + reason.dropFirst()
        let at = place.map { " (place \($0) of the file)" } ?? ""
        return StoreFinding(
            kind.finding, PrintableText.escaped("\(start)\(at).", limit: 400),
            entity: entity.map { PrintableText.escaped($0, limit: 100) },
            object: key.map { "\(entity ?? "?")/p\($0)" },
            property: property.map { PrintableText.escaped($0, limit: 100) },
            remedy: remedy)
    }
}

extension LoadFault.Kind {
    fileprivate var finding: StoreFinding.Kind {
        switch self {
        case .unknownEntity: .unknownEntity
        case .badKey: .badKey
        case .unknownProperty: .unknownProperty
        case .doubledValue: .doubledValue
        case .wrongType: .wrongType
        case .danglingReference: .danglingReference
        case .wrongReference: .wrongReference
        case .oneSided: .oneSided
        case .danglingLink: .danglingLink
        case .doubledLink: .doubledLink
        case .missingValue: .missingValue
        case .duplicateValues: .duplicateValues
        }
    }
}

extension NSManagedObject {
    fileprivate func hasNoMembers(_ key: String) -> Bool {
        switch value(forKey: key) {
        case let members as NSOrderedSet: members.count == 0
        case let members as NSSet: members.count == 0
        default: false
        }
    }
}
