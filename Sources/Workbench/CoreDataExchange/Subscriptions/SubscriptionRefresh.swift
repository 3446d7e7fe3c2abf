import CoreData

/// Refreshes subscriptions of a store, one after the other.
package struct SubscriptionRefresh {
    /// What came of one.
    package enum Outcome {
        case imported(ImportReport)
        case notChanged
        /// A busy server, or the feed, wants no request before that time.
        case notDue(Date)
        case failed(InspectionError)
    }

    private let access: WebAccess
    private let now: Date

    package init(by access: WebAccess = WebAccess(), at now: Date = Date()) {
        var access = access
        // A server that wants to be asked later does not keep the others waiting.
        access.longestWait = 0
        (self.access, self.now) = (access, now)
    }

    /// Asks for a URL and imports what is new, in one transaction; notes in the store when that was.
    ///
    /// - Throws: `CancellationError`, and `InspectionError` where the store itself cannot be written.
    package func run(_ given: Subscription, in store: OpenStore) throws -> Outcome {
        var subscription = given
        (subscription.asked, subscription.notBefore, subscription.failure) = (now, nil, nil)
        let outcome: Outcome
        do {
            outcome = try imported(&subscription, in: store)
            if case .imported = outcome { subscription.changed = now }
        } catch let error as InspectionError {
            subscription.failure = PrintableText.escaped(error.description, limit: 500)
            subscription.notBefore = error.retryAfter.map { now.addingTimeInterval(min(max(0, $0), 604_800)) }
            outcome = .failed(error)
        }
        // The subscription may have been ended meanwhile.
        let present = store.facts.url.isFileURL ? try StoreFacts(at: store.facts.url).metadata : nil
        if present.map(subscription.isKept) ?? true { try subscription.save(in: store) }
        return outcome
    }

    private func imported(_ subscription: inout Subscription, in store: OpenStore) throws -> Outcome {
        let source = subscription.source { place, known in
            guard let url = ImportFile.webURL(place) else { return nil }
            return try ImportFile.fetched(url, by: access, unless: known)
        }
        guard try source.begin(unlessKnownTo: store.coordinator.metadata(for: store.store)) else { return .notChanged }
        let report = try subscription.take(source, into: store)
        return .imported(report)
    }
}

extension Subscription {
    /// The import that refreshes the subscription.
    package func source(mode: EditMode = .save, fetch: @escaping PlaceImport.Fetch) -> PlaceImport {
        var request = StoreImport.Request(files: [ImportFile]())
        (request.entity, request.mode) = (entity, mode)
        return PlaceImport([url.absoluteString], request, by: mapping, fetch: fetch)
    }

    /// Imports what was fetched, and notes how often the feed is to be asked for.
    ///
    /// - Throws: `InspectionError`, also where a refused record stops the import.
    package mutating func take(_ source: PlaceImport, into store: OpenStore) throws -> ImportReport {
        try source.prepare(for: store.coordinator.managedObjectModel)
        noteInterval(source.files)
        var first: RefusedRecord?
        let report = try source.run(in: store, refused: { first = first ?? $0 })
        if let first, !source.passesOverRefused {
            throw InspectionError(
                .badValue, subject: "\(first.file):\(first.line)", cause: first.answer ?? first.reason,
                hint: report.refused > 1 ? "\(report.refused) records are refused, so nothing is imported" : nil)
        }
        return report
    }
}
