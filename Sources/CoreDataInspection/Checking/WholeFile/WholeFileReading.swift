import CoreData

/// A store of one file, opened though its records may be at fault; what is at fault has been told and left out.
struct WholeFileReading {
    let store: NSPersistentStore
    private let coordinator: NSPersistentStoreCoordinator

    /// - Throws: an error of `NSCocoaErrorDomain` for a file that cannot be read to its end.
    init(_ facts: StoreFacts, _ model: StoreModel, isReadOnly: Bool, _ tell: @escaping (LoadFault) -> Void) throws {
        coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: OpenStore.prepared(model.model, for: isReadOnly ? .reading : .editing))
        store = try coordinator.addPersistentStore(
            type: facts.type, configuration: model.configuration, at: facts.url,
            options: [NSReadOnlyPersistentStoreOption: isReadOnly, RecordFaultsOption: LoadFaultCollector(tell)])
    }

    /// Writes the records as they were read.
    ///
    /// - Throws: an error of `NSCocoaErrorDomain`; the file is then as it was.
    func write() throws {
        try store.serialized {
            store.hasUnsavedMetadata = true
            _ = try store.objects?.save(SavePlan())
        }
    }

    /// Closes the file; what goes wrong then is found by who opens the store next.
    func close() { try? coordinator.remove(store) }
}

extension LoadFault {
    /// The fault as people read it.
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
