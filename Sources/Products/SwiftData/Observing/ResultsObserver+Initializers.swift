import CoreDataGraph
import Foundation

// The initializers: of a descriptor or of its parts, with sections or without, with a context or a container.

extension ResultsObserver where SectionTitle == Never {
    /// Follows the results of a fetch, in a context.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, nil, modelContext, isolation)
    }

    /// Follows the results of a fetch, in a context of its own.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, nil, modelContainer.contextForObserving(on: isolation), isolation)
    }

    /// Follows the results of a fetch, in a context.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    @_disfavoredOverload
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil, modelContext, isolation)
    }

    /// Follows the results of a fetch, in a context of its own.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    @_disfavoredOverload
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), nil,
            modelContainer.contextForObserving(on: isolation), isolation)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Follows the results of a fetch in sections of one value of a property, in a context.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, (sectionBy, { $0[keyPath: sectionBy] }), modelContext, isolation)
    }

    /// Follows the results of a fetch in sections of one value of a property, in a context of its own.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, (sectionBy, { $0[keyPath: sectionBy] }), modelContainer.contextForObserving(on: isolation),
            isolation)
    }

    /// Follows the results of a fetch in sections of one value of a property, in a context.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    @_disfavoredOverload
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), (sectionBy, { $0[keyPath: sectionBy] }),
            modelContext, isolation)
    }

    /// Follows the results of a fetch in sections of one value of a property, in a context of its own.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    @_disfavoredOverload
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), (sectionBy, { $0[keyPath: sectionBy] }),
            modelContainer.contextForObserving(on: isolation), isolation)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Follows the results of a fetch in sections of one value of a property, the empty text for nil, in a context.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
        modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(fetchDescriptor, (sectionBy, { $0[keyPath: sectionBy] ?? "" }), modelContext, isolation)
    }

    /// Follows the results of a fetch in sections of one value of a property, the empty text for nil, in a context of its own.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element> = FetchDescriptor<Element>(), sectionBy: KeyPath<Element, String?>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            fetchDescriptor, (sectionBy, { $0[keyPath: sectionBy] ?? "" }),
            modelContainer.contextForObserving(on: isolation), isolation)
    }

    /// Follows the results of a fetch in sections of one value of a property, the empty text for nil, in a context.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    @_disfavoredOverload
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContext: ModelContext, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), (sectionBy, { $0[keyPath: sectionBy] ?? "" }),
            modelContext, isolation)
    }

    /// Follows the results of a fetch in sections of one value of a property, the empty text for nil, in a context of its own.
    ///
    /// - Throws: `SwiftDataError` that names what no store can answer, or an error of the store.
    @_disfavoredOverload
    public convenience init(
        filterBy: Predicate<Element>? = nil, sortBy: [SortDescriptor<Element>]? = nil,
        sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            FetchDescriptor(predicate: filterBy, sortBy: sortBy ?? []), (sectionBy, { $0[keyPath: sectionBy] ?? "" }),
            modelContainer.contextForObserving(on: isolation), isolation)
    }
}

extension ModelContainer {
    /// A context for the observer of an actor: that of the main actor has the main queue.
    fileprivate func contextForObserving(on isolation: (any Actor)?) -> ModelContext {
        guard isolation === MainActor.shared else { return ModelContext(self) }
        let context = ModelContext(self, concurrencyType: .mainQueueConcurrencyType)
        context.autosaveEnabled = false
        return context
    }
}
