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
        let metadata = store.coordinator.metadata(for: store.store)
        return try finish(ask(given, knownTo: metadata, store.coordinator.managedObjectModel), in: store)
    }

    /// What a server has answered, before a store has it.
    package struct Answer {
        /// The subscription as it was when the server was asked, and as it is to be noted.
        fileprivate let given: Subscription
        fileprivate var subscription: Subscription
        /// What there is to import; nil where nothing is new.
        fileprivate let content: Result<PlaceImport?, InspectionError>
    }

    /// Asks for a URL, and fetches what is new with its further pages; no store is locked until it answers.
    ///
    /// - Parameter metadata: those of the store, which say what it has already.
    /// - Throws: `CancellationError`.
    package func ask(
        _ given: Subscription, knownTo metadata: [String: Any], _ model: NSManagedObjectModel
    ) throws -> Answer {
        var subscription = given
        (subscription.asked, subscription.notBefore, subscription.failure) = (now, nil, nil)
        do {
            let source = subscription.source { place, known in
                guard let url = ImportFile.webURL(place) else { return nil }
                return try ImportFile.fetched(url, by: access, unless: known)
            }
            guard try source.begin(unlessKnownTo: metadata) else {
                return Answer(given: given, subscription: subscription, content: .success(nil))
            }
            try subscription.prepare(source, for: model)
            return Answer(given: given, subscription: subscription, content: .success(source))
        } catch let error as InspectionError {
            return Answer(given: given, subscription: subscription, content: .failure(error))
        }
    }

    /// Imports what was fetched, and notes in the store when that was; nothing where the subscription was changed, refreshed or ended
    /// while its server was asked.
    ///
    /// - Throws: As `run`.
    package func finish(_ answer: Answer, in store: OpenStore) throws -> Outcome {
        var subscription = answer.subscription
        let present = store.facts.url.isFileURL ? try StoreFacts(at: store.facts.url).metadata : nil
        guard present.map(answer.given.isPresent) ?? true else { return .notChanged }
        let outcome: Outcome
        do {
            if let source = try answer.content.get() {
                outcome = .imported(try subscription.imported(source, into: store))
                subscription.changed = now
            } else {
                outcome = .notChanged
            }
        } catch let error as InspectionError {
            subscription.failure = PrintableText.escaped(error.description, limit: 500)
            subscription.notBefore = error.retryAfter.map { now.addingTimeInterval(min(max(0, $0), 604_800)) }
            outcome = .failed(error)
        }
        try subscription.save(in: store)
        return outcome
    }
}

extension SubscriptionRefresh.Outcome {
    /// `{"result": "imported", …}` with what an import reports, `{"result": "notChanged"}`, `{"result": "notDue", "due"}` or
    /// `{"result": "failed", "error"}`
    package var members: [JSONValue.Member] {
        func result(_ name: String, _ more: [JSONValue.Member] = []) -> [JSONValue.Member] {
            [.init(key: "result", value: .string(name))] + more
        }
        switch self {
        case .imported(let report):
            guard case .members(let members) = report.json else { return result("imported") }
            return result("imported", members)
        case .notChanged: return result("notChanged")
        case .notDue(let date): return result("notDue", [.init(key: "due", value: .string(ISODate.text(date)))])
        case .failed(let error):
            return result("failed", [.init(key: "error", value: .string(error.description))])
        }
    }
}

extension Subscription {
    /// The import that refreshes the subscription.
    ///
    /// - Parameter samples: how many objects a dry run shows.
    package func source(mode: EditMode = .save, samples: Int = 0, fetch: @escaping PlaceImport.Fetch) -> PlaceImport {
        var request = ImportRequest(files: [ImportFile]())
        (request.entity, request.mode, request.sampleLimit) = (entity, mode, samples)
        return PlaceImport([url.absoluteString], request, by: mapping, fetch: fetch)
    }

    /// Fetches the further pages of what has begun, and notes how often the feed is to be asked for.
    ///
    /// - Throws: `InspectionError`.
    package mutating func prepare(_ source: PlaceImport, for model: NSManagedObjectModel) throws {
        try source.prepare(for: model)
        noteInterval(source.files)
    }

    /// Imports what was fetched.
    ///
    /// - Throws: `InspectionError`, also where a refused record stops the import.
    package func imported(_ source: PlaceImport, into store: OpenStore) throws -> ImportReport {
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
