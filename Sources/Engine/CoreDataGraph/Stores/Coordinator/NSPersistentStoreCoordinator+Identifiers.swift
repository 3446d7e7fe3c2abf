import CoreDataStore

extension NSPersistentStoreCoordinator {
    /// Implements `managedObjectID(forURIRepresentation:)`.
    func identifier(named uri: URL) -> NSManagedObjectID? {
        // `path` omits a slash at its end.
        guard uri.scheme == "x-coredata", uri.query == nil, uri.fragment == nil, uri.user == nil, uri.port == nil,
            !uri.absoluteString.hasSuffix("/")
        else { return nil }
        // A slash within a part is escaped and does not separate parts.
        let path = URLComponents(url: uri, resolvingAgainstBaseURL: false)?.percentEncodedPath ?? uri.path
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).compactMap { part in
            part.removingPercentEncoding.map { $0[...] }
        }
        guard parts.count == 3, parts[0].isEmpty, let layout = modelLayout.layout(named: String(parts[1])) else {
            return nil
        }
        guard let host = uri.host, !host.isEmpty else { return temporaryIdentifier(parts[2], layout) }
        guard parts[2].first == "p",
            let store = persistentStores.first(where: { $0.identifier.lowercased() == host.lowercased() }),
            store.keeps(layout.entity, of: managedObjectModel),
            let key = Self.key(in: parts[2].dropFirst(), of: layout.entity, store)
        else { return nil }
        return NSManagedObjectID(
            binding: store.binding(for: layout), key: key, isTemporary: false, mayNameAncestor: true)
    }

    /// Returns the key for the text after `p`: a number, or the key of the reference object by which a custom store
    /// identifies the record.
    private static func key(in text: Substring, of entity: NSEntityDescription, _ store: NSPersistentStore) -> Int64? {
        guard let references = store.referenceKeys else { return key(in: text) }
        return ReferenceKeys.Reference(uriText: String(text)).map { references.key(of: $0, in: entity) }
    }

    private func temporaryIdentifier(_ reference: Substring, _ layout: EntityLayout) -> NSManagedObjectID? {
        let prefix = "t" + TemporaryKeys.processIdentifier
        guard reference.hasPrefix(prefix), let key = Self.key(in: reference.dropFirst(prefix.count)),
            TemporaryKeys.wasGiven(key)
        else { return nil }
        let binding = EntityBinding(layout: layout, store: nil, storeNumber: 0)
        return NSManagedObjectID(binding: binding, key: key, isTemporary: true)
    }

    /// Reads a positive number, which must be written as identifiers write it.
    private static func key(in text: Substring) -> Int64? {
        guard let key = Int64(text), key > 0, String(key) == text else { return nil }
        return key
    }
}
