import CoreDataGraph

/// The associations of source and destination records of a migration. Saved destinations are stored as record numbers,
/// unsaved ones as objects.
struct Associations {
    private struct Unsaved {
        let source: RecordNumber
        let destination: NSManagedObject
        let step: Int
    }

    private var packing = RecordPacking()
    private(set) var tables: [AssociationTable]
    /// The numbers of the steps that have associations of records of a source entity, by the number of the entity.
    private var stepsByEntity: [Int: [Int]] = [:]
    private var unsaved: [Unsaved] = []
    private var unsavedBySource: [RecordNumber: [Int]] = [:]
    private var unsavedByDestination: [ObjectIdentifier: [Int]] = [:]

    init(stepCount: Int) { tables = Array(repeating: AssociationTable(), count: stepCount) }

    /// The destination objects that have not been saved yet, each once.
    var unsavedDestinations: [NSManagedObject] {
        var seen = Set<ObjectIdentifier>()
        return unsaved.map(\.destination).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    // MARK: Adding

    mutating func add(_ source: RecordNumber, _ destination: NSManagedObject, step: Int) {
        if let number = destination.recordNumber { return add(source, destination: number, step: step) }
        unsavedBySource[source, default: []].append(unsaved.count)
        unsavedByDestination[ObjectIdentifier(destination), default: []].append(unsaved.count)
        unsaved.append(Unsaved(source: source, destination: destination, step: step))
    }

    private mutating func add(_ source: RecordNumber, destination: RecordNumber, step: Int) {
        let isKnown = stepsByEntity[source.entity]?.contains(step) ?? false
        if !isKnown { stepsByEntity[source.entity, default: []].append(step) }
        tables[step].add(packing.pack(source), packing.pack(destination))
    }

    /// Replaces the objects that now have permanent identifiers by their record numbers, and releases them.
    mutating func settle() {
        let settled = unsaved
        unsaved = []
        unsavedBySource = [:]
        unsavedByDestination = [:]
        for entry in settled {
            guard let number = entry.destination.recordNumber, !entry.destination.isDeleted else { continue }
            add(entry.source, destination: number, step: entry.step)
        }
    }

    // MARK: Asking

    /// The destinations that a step, or any step if `step` is nil, made of a source record: saved ones and unsaved
    /// ones.
    func destinations(of source: RecordNumber, step: Int?) -> (saved: [RecordNumber], unsaved: [NSManagedObject]) {
        var saved: [RecordNumber] = []
        if let packed = packing.known(source) {
            let steps = step.map { [$0] } ?? stepsByEntity[source.entity] ?? []
            saved = steps.flatMap { tables[$0].destinations(of: packed) }.map(packing.number)
        }
        guard !unsaved.isEmpty, let places = unsavedBySource[source] else { return (saved, []) }
        return (saved, places.map { unsaved[$0] }.filter { step == nil || $0.step == step }.map(\.destination))
    }

    /// The source records of which a step made a destination object.
    func sources(of destination: NSManagedObject, step: Int) -> [RecordNumber] {
        if let number = destination.recordNumber, let packed = packing.known(number) {
            return tables[step].sources(of: packed).map(packing.number)
        }
        let places = unsavedByDestination[ObjectIdentifier(destination)] ?? []
        return places.map { unsaved[$0] }.filter { $0.step == step }.map(\.source)
    }

    func number(_ packed: UInt64) -> RecordNumber { packing.number(packed) }
}
