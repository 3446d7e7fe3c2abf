import CoreDataStore

/// Caching a list between runs of the program.
extension ResultsSource {
    /// The cached records and sections, if request, model and store are unchanged; otherwise fetches and caches them.
    func keptRecords(named name: String, _ fetch: () throws -> SectionedRecords) throws -> SectionedRecords {
        guard let store = onlyStore, let fingerprint = try fingerprint(store) else { return try fetch() }
        let cache = ResultsCache(named: name)
        let layouts = store.persistentStoreCoordinator?.modelLayout
        if let kept = cache.records(fingerprint, bindings: { layouts?.layout(named: $0).map(store.binding(for:)) }) {
            return kept
        }
        let records = try fetch()
        // Another process may have changed the store during the fetch.
        if try self.fingerprint(store) == fingerprint { cache.keep(records, fingerprint) }
        return records
    }

    /// Everything on which the list depends, as a text; nil if that cannot be determined.
    private func fingerprint(_ store: NSPersistentStore) throws -> String? {
        guard let reporter = store.objects?.stateReporting, !followed.dependsOnAll,
            let state = try store.serializedIfFree({ try reporter.presentState() })
        else { return nil }
        var parts = [
            "1", store.identifier ?? "", state,
            store.persistentStoreCoordinator?.managedObjectModel.versionChecksum ?? "",
            request.entityName ?? "", "\(request.includesSubentities)", "\(request.fetchLimit)",
            "\(request.fetchOffset)",
            request.predicate?.description ?? "", naming?.keyPath ?? "", naming?.letters?.identifier ?? "-",
            (NSSortDescriptor.localizedComparisonLocale ?? .current).identifier, naming == nil ? "plain" : "sections",
        ]
        for descriptor in request.sortDescriptors ?? [] {
            if let rank = descriptor.sorting.rank {
                parts += ["rank", rank.words, "\(rank.keyPaths)", "\(descriptor.ascending)"]
                continue
            }
            guard let key = descriptor.sorting.key, let name = descriptor.sorting.comparison.name else { return nil }
            parts += [key, name, "\(descriptor.sorting.ascending)"]
        }
        // The length of each part keeps different parts from resulting in the same text.
        return parts.map { "\($0.utf8.count):\($0)" }.joined()
    }
}
