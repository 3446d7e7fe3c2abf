import CoreDataGraph
import Foundation

/// The results of a fetch: models, which may be read a batch at a time, or identifiers.
///
/// May be used where the context of its models is used.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    private let source: any ResultsSource<Element>

    init(_ source: any ResultsSource<Element>) { self.source = source }

    public var startIndex: Int { 0 }
    public var endIndex: Int { source.count }

    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "Index \(position) of a collection with \(source.count) results.")
        return source.element(at: position)
    }
}

protocol ResultsSource<Element> {
    associatedtype Element
    var count: Int { get }
    func element(at position: Int) -> Element
}

extension Array: ResultsSource {
    func element(at position: Int) -> Element { self[position] }
}

/// Models that are read a batch at a time. The batches that were used last stay in memory.
final class ModelBatches<Model: PersistentModel>: ResultsSource {
    private let identifiers: [NSManagedObjectID]
    private let batchSize: Int
    private let context: ModelContext
    /// The batches that were used last, the last one at the end.
    private var present: [(number: Int, models: [Model?])] = []
    private static var greatestCount: Int { 3 }

    init(_ identifiers: [NSManagedObjectID], batchSize: Int, _ context: ModelContext) {
        self.identifiers = identifiers
        self.batchSize = batchSize > 0 ? batchSize : max(identifiers.count, 1)
        self.context = context
    }

    var count: Int { identifiers.count }

    func element(at position: Int) -> Model {
        let (number, place) = position.quotientAndRemainder(dividingBy: batchSize)
        if let model = batch(number)[place] { return model }
        // A fault: its row is gone, and its properties read as nil or empty.
        guard let record = context.records.object(with: identifiers[position]) as? ModelRecord,
            let model = record.presentModel() as? Model
        else { stop("A result of a fetch of \(Model.self) is of another class.") }
        return model
    }

    private func batch(_ number: Int) -> [Model?] {
        if let index = present.lastIndex(where: { $0.number == number }) { return present[index].models }
        let start = number * batchSize
        let places = identifiers[start..<Swift.min(start + batchSize, identifiers.count)]
        // A store that fails to read gives faults, which report the error when a property is used.
        let models = (try? context.read(places, as: Model.self)) ?? Array(repeating: nil, count: places.count)
        if present.count == Self.greatestCount { present.removeFirst() }
        present.append((number, models))
        return models
    }
}
