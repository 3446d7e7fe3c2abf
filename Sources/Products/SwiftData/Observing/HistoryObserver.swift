import CoreDataGraph
import Foundation
import Observation
import Synchronization

/// Counts the saves in a container's stores that concern some models and authors, by any context and any process.
///
/// `withObservationTracking` sees `eventCounter`; what was saved is fetched with `ModelContext.fetchHistory(_:)`. May
/// be used from any thread. `eventCounter` changes on the actor that made the observer, or, if none did, on a queue of
/// the library.
public final class HistoryObserver: Observable, Sendable {
    private struct State {
        var count = 0
        var tokens: [String: DefaultHistoryToken]
    }

    /// The container whose stores are observed.
    public let modelContainer: ModelContainer
    /// The models that are observed; all if empty.
    public var observedModels: [any PersistentModel.Type] { models.types }
    /// The authors whose saves count; all if empty.
    public let authors: Set<String>
    private let models: Models
    private let registrar = ObservationRegistrar()
    private let state: Mutex<State>
    private let subscription = Mutex<StoreChangeRelay.Subscription?>(nil)

    private struct Models: @unchecked Sendable {
        let types: [any PersistentModel.Type]
    }

    /// Observes what is saved after tokens, by default from now on.
    ///
    /// What was saved after the tokens before counts once, soon.
    /// - Parameter historyTokens: by the identifiers of the stores.
    /// - Throws: `SwiftDataError.invalidTransactionFetchRequest` for a container whose stores keep no history.
    public init(
        historyTokens: [String: any HistoryToken]? = nil, observedModels: [any PersistentModel.Type] = [],
        authors: Set<String> = [], modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        guard modelContainer.configurations.contains(where: { !$0.isStoredInMemoryOnly }) else {
            throw SwiftDataError.invalidTransactionFetchRequest.stating(
                "The container has stores in memory alone, which keep no history.")
        }
        self.modelContainer = modelContainer
        self.authors = authors
        models = Models(types: observedModels)
        let tokens = historyTokens ?? modelContainer.historyTokens()
        state = Mutex(State(tokens: tokens.compactMapValues { $0 as? DefaultHistoryToken }))
        let look: @Sendable () -> Void = { [weak self] in
            guard let isolation else {
                self?.look()
                return
            }
            Task { await self?.look(on: isolation) }
        }
        let made = modelContainer.changeRelay.subscribe { _ in look() }
        subscription.withLock { $0 = made }
        if historyTokens != nil { look() }
    }

    /// How many times saves were found that concern the models and authors.
    public var eventCounter: Int {
        registrar.access(self, keyPath: \.eventCounter)
        return state.withLock(\.count)
    }

    /// The position of the history up to which saves have been counted, by the identifiers of the stores.
    public var historyTokens: [String: any HistoryToken] { state.withLock(\.tokens) }

    private func look(on isolation: isolated any Actor) { look() }

    /// Finds out whether the transactions since the last look concern the observer.
    private func look() {
        let isRelevant = state.withLock { state in
            do { return try containsRelevant(&state.tokens) } catch  where SwiftDataError.historyTokenExpired ~= error {
                // What was deleted from the history may have concerned the observer.
                state.tokens = modelContainer.historyTokens().compactMapValues { $0 as? DefaultHistoryToken }
                return true
            } catch {
                CoreDataLogging.report(.error, "The history could not be read: \((error as NSError).domain)")
                return false
            }
        }
        guard isRelevant else { return }
        registrar.withMutation(of: self, keyPath: \.eventCounter) { state.withLock { $0.count += 1 } }
    }

    private func containsRelevant(_ tokens: inout [String: DefaultHistoryToken]) throws -> Bool {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token = DefaultHistoryToken(joining: tokens.values) {
            descriptor.predicate = #Predicate { $0.token > token }
        }
        var isRelevant = false
        for transaction in try ModelContext(modelContainer).fetchHistory(descriptor) {
            tokens[transaction.storeIdentifier] = transaction.token
            isRelevant = isRelevant || concerns(transaction)
        }
        return isRelevant
    }

    private func concerns(_ transaction: DefaultHistoryTransaction) -> Bool {
        guard authors.isEmpty || transaction.author.map(authors.contains) == true else { return false }
        guard !models.types.isEmpty else { return true }
        let plans = models.types.map { ModelPlan.of($0) }
        return transaction.changes.contains { change in
            let name = change.changedPersistentIdentifier.entityName
            let entity = modelContainer.coordinator.managedObjectModel.entitiesByName[name]
            guard let type = entity?.objectType as? ModelRecord.Type else { return false }
            return plans.contains { type.plan.inherits(from: $0) }
        }
    }
}
