import CoreDataGraph
import Foundation
import Observation

/// The results of a fetch, kept up to date: with changes of its context, saved or not, with saves of other contexts of
/// the container, and with those of other processes.
///
/// Is used where its context is used, which is the actor that makes it. `withObservationTracking` sees `results` and
/// `sections`, and `updates` is a sequence of them. Made on the main actor with the main context, or on another actor,
/// it is updated there by itself. Made on no actor, it takes the saves of others when it is read.
///
/// With `SectionTitle` other than `Never`, the results are grouped by a property, by which they are sorted first if the
/// store can do so.
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable> {
    /// The context of the models.
    public let modelContext: ModelContext
    private let list: ResultsList
    private let registrar = ObservationRegistrar()
    private let grouping: (path: PartialKeyPath<Element>, title: (Element) -> SectionTitle)?
    private var descriptor: FetchDescriptor<Element>
    private var knownSections: SectionedResults<Element, SectionTitle>?
    private var streams: [UUID: AsyncStream<[PersistentIdentifier]>.Continuation] = [:]
    /// Why the last change of the descriptor failed; nil if it did not. The results are then those of before.
    public private(set) var fetchError: (any Error)?

    init(
        _ descriptor: FetchDescriptor<Element>,
        _ grouping: (path: PartialKeyPath<Element>, title: (Element) -> SectionTitle)?,
        _ context: ModelContext, _ isolation: (any Actor)?
    ) throws {
        modelContext = context
        self.descriptor = descriptor
        self.grouping = grouping
        list = ResultsList(context.records)
        list.didChange = { [weak self] in self?.changed() }
        try list.fetch(try request())
        list.follow(context, isolation)
    }

    deinit { for stream in streams.values { stream.finish() } }

    private func request() throws -> NSFetchRequest<NSFetchRequestResult> {
        try modelContext.expectEntity(of: Element.self)
        let request = try descriptor.makeRequest(modelContext.container.coordinator)
        let plan = ModelPlan.of(Element.self)
        if let path = grouping?.path, let property = plan.property(at: path), case .simple = property.kind {
            request.sortDescriptors?.insert(NSSortDescriptor(key: property.name, ascending: true), at: 0)
        }
        return request
    }

    private func changed() {
        registrar.withMutation(of: self, keyPath: \.results) { knownSections = nil }
        let identifiers = list.identifiers
        for stream in streams.values { stream.yield(identifiers) }
    }

    private func replace(_ descriptor: FetchDescriptor<Element>) {
        let former = self.descriptor
        self.descriptor = descriptor
        do {
            try list.fetch(try request())
            fetchError = nil
            changed()
        } catch {
            self.descriptor = former
            fetchError = error
        }
    }

    // MARK: What is fetched

    /// The fetch. A change fetches again; if that fails, the results remain, and `fetchError` says why.
    public var fetchDescriptor: FetchDescriptor<Element> {
        get { descriptor }
        set { replace(newValue) }
    }

    /// Which models are fetched; all if nil. A change fetches again.
    public var filterBy: Predicate<Element>? {
        get { descriptor.predicate }
        set {
            var descriptor = descriptor
            descriptor.predicate = newValue
            replace(descriptor)
        }
    }

    /// The order of the results, within each section. A change fetches again.
    public var sortBy: [SortDescriptor<Element>] {
        get { descriptor.sortBy }
        set {
            var descriptor = descriptor
            descriptor.sortBy = newValue
            replace(descriptor)
        }
    }

    /// The property by which the results are grouped.
    public var sectionBy: PartialKeyPath<Element>? { grouping?.path }

    // MARK: Results

    /// The results.
    public var results: FetchResultsCollection<Element> {
        registrar.access(self, keyPath: \.results)
        list.takeWaiting()
        return FetchResultsCollection(PresentModels<Element>(records: list.records))
    }

    /// The results in sections; nil if they are not grouped.
    public var sections: SectionedResults<Element, SectionTitle>? {
        let results = results
        guard let grouping else { return nil }
        if let knownSections { return knownSections }
        let made = SectionedResults(results, title: grouping.title)
        knownSections = made
        return made
    }

    /// The model at a section and a place in it; without sections, in section 0. Nil for a place that there is not.
    public func element(at indexPath: IndexPath) -> Element? {
        guard indexPath.count == 2 else { return nil }
        let (section, item) = (indexPath[0], indexPath[1])
        if let sections {
            guard sections.indices.contains(section), sections[section].indices.contains(item) else { return nil }
            return sections[section][item]
        }
        let results = results
        return section == 0 && results.indices.contains(item) ? results[item] : nil
    }

    /// The section of a model and its place in it; nil if it is not among the results.
    public func indexPath(for element: Element) -> IndexPath? {
        guard let sections else {
            return results.firstIndex { $0 === element }.map { IndexPath(indexes: [0, $0]) }
        }
        for (number, section) in sections.enumerated() {
            if let place = section.firstIndex(where: { $0 === element }) { return IndexPath(indexes: [number, place]) }
        }
        return nil
    }

    /// The identifiers of the results now, and then after each change.
    ///
    /// May be iterated anywhere; a slow reader gets only the newest ones. Ends when the observer is released, which the
    /// sequence does not retain.
    public var updates: AsyncStream<[PersistentIdentifier]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [PersistentIdentifier].self, bufferingPolicy: .bufferingNewest(1))
        let key = UUID()
        streams = streams.filter { _, other in if case .terminated = other.yield([]) { false } else { true } }
        continuation.yield(list.identifiers)
        streams[key] = continuation
        return stream
    }
}

extension ResultsObserver: Observable {}

/// The models of records, made when they are used.
private struct PresentModels<Model: PersistentModel>: ResultsSource {
    let records: [ModelRecord]
    var count: Int { records.count }
    func element(at position: Int) -> Model {
        guard let model = records[position].presentModel() as? Model else {
            stop("A result of a fetch of \(Model.self) is of another class.")
        }
        return model
    }
}
