import CoreData
import CoreDataJobs

/// Refreshes subscriptions of a store that is shown: a named one, or all that are due in a view that stays open.
struct RefreshRound: Sendable {
    let browser: BrowserCore
    let store: BrowsedStore
    let target: StoreFileAccess
    let author: String
    /// The only one to refresh, due or not.
    let named: URL?

    /// Asks for one after the other, and imports what is new, each in a transaction of its own; one that fails does not stop the others.
    ///
    /// - Returns: `{"results": [{"url", "result", …}]}`
    /// - Throws: `BrowserFailure` where edits are staged; `CancellationError`; `InspectionError` where the store cannot be written.
    func run(_ handle: JobHandle) throws -> JSONValue {
        let (now, all) = (Date(), Subscription.all(in: try StoreFacts(at: target.url).metadata))
        let chosen = all.filter { one in
            if let named { return one.url == named }
            return one.nextInView.map { $0 <= now } ?? true
        }
        handle.report(completed: 0, total: Int64(chosen.count))
        // Also where a later one ends the round.
        defer { Task { [browser, store] in await browser.sessions.refresh(store) } }
        var results: [JSONValue] = []
        for subscription in chosen {
            try ReadCancellation.check()
            let outcome = try refreshed(subscription, at: now)
            results.append(
                .members(
                    [.init(key: "url", value: .string(PrintableText.escaped(subscription.url.absoluteString)))]
                        + outcome.members))
            handle.report(completed: Int64(results.count))
        }
        return .object([("results", .array(results))])
    }

    private func refreshed(_ subscription: Subscription, at now: Date) throws -> SubscriptionRefresh.Outcome {
        if let date = subscription.notBefore, date > now { return .notDue(date) }
        try browser.sessions.requireNothingStaged(in: store)
        let refresh = SubscriptionRefresh(by: browser.importAccess, at: now)
        // What earlier ones of this round have noted counts, and what other jobs have.
        let metadata = try StoreFacts(at: target.url).metadata
        let answer = try refresh.ask(subscription, knownTo: metadata, store.opened.wholeModel)
        try browser.sessions.requireNothingStaged(in: store)
        return try browser.changeFile(of: store) {
            try target.importing(by: author) { try refresh.finish(answer, in: $0) }
        }
    }
}
