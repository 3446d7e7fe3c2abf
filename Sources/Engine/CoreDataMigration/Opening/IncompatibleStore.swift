import CoreDataGraph

/// Explains how the model version of a store differs from the model, as far as the store's model can be found.
struct IncompatibleStore {
    private let store: StoreToOpen

    init(_ store: StoreToOpen) { self.store = store }

    /// The error with the differences of each entity and the name of the store's version added.
    func explained(_ error: NSError) -> NSError {
        guard let metadata = try? store.storeClass.metadataForPersistentStore(with: store.url) else { return error }
        var texts = [error.localizedDescription]
        var info = error.userInfo
        if let source = try? SourceModel.find(of: store, metadata) {
            let differences = differences(from: source)
            if !differences.isEmpty { texts.append("What differs: \(differences.joined(separator: "; ")).") }
            info["differences"] = differences
        }
        if let version = version(metadata) {
            texts.append("The store is of the version '\(version)'.")
            info["version"] = version
        }
        guard texts.count > 1 else { return error }
        info[NSLocalizedDescriptionKey] = texts.joined(separator: " ")
        return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    /// A line for each difference that changes a version hash.
    private func differences(from source: NSManagedObjectModel) -> [String] {
        let changes = ModelDifference(from: source, to: store.model).changes.filter(\.changesVersionHash)
        let lines = changes.prefix(20).map(Self.text)
        return changes.count > lines.count ? lines + ["and \(changes.count - lines.count) more"] : lines
    }

    private static func text(_ change: ModelChange) -> String {
        let subject = "\(change.item.kind.rawValue) \(change.item.path)"
        switch change.action {
        case .added: return "\(subject) is new"
        case .removed: return "\(subject) is gone"
        case .renamed(let name): return "\(subject) was \(name)"
        case .moved(let owners): return "\(subject) was declared by \(owners.joined(separator: ", "))"
        case .changed:
            let aspects = change.aspects.filter(\.isHashed).map { aspect in
                "\(aspect.name) was \(aspect.old ?? "none") and is \(aspect.new ?? "none")"
            }
            return "\(subject): \(aspects.joined(separator: ", "))"
        }
    }

    private func version(_ metadata: [String: Any]) -> String? {
        KnownVersion.all(for: store).first {
            $0.model.isConfiguration(withName: store.configuration, compatibleWithStoreMetadata: metadata)
        }?.name
    }
}
