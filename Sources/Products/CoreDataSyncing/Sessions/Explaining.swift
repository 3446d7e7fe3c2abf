import CoreDataSync
import Foundation

/// Finds out who wrote the values of attributes.
struct Explaining {
    let engine: SyncEngine
    let storage: StoreStorage

    init(_ engine: SyncEngine, _ storage: StoreStorage) {
        self.engine = engine
        self.storage = storage
    }

    /// - Throws: `SyncError` with the code `unknownItem` for an object that is not shown any more.
    func explain(_ object: ObjectIdentity, _ attribute: SyncAttribute, _ entity: String) throws -> SyncExplanation {
        guard let found = try engine.why(object, attribute.name, storage) else { throw SyncError.objectGone }
        var writes = found.candidates.map(Self.write)
        for (peer, sum) in found.sums.sorted(by: { $0.key < $1.key }) {
            let created = try engine.records(object, storage).first?.record.created ?? .zero
            writes.append(
                SyncExplanation.Write(
                    peer: peer.description, date: created.date, value: sum.shownText, isChosen: true, transaction: nil,
                    object: found.survivor.description))
        }
        let objects = try engine.records(object, storage).map { $0.object.description }
        return SyncExplanation(
            entity: entity, attribute: attribute.name, rule: attribute.rule.name, value: found.value.shownText,
            writes: writes, objects: objects)
    }

    static func write(_ candidate: Explanation.Candidate) -> SyncExplanation.Write {
        SyncExplanation.Write(
            peer: candidate.write.transaction.author.description, date: candidate.write.time.date,
            value: candidate.write.value.shownText, isChosen: candidate.isShown,
            transaction: candidate.write.transaction.description, object: candidate.object.description)
    }
}

extension HybridTime {
    /// The time by the clock of who wrote.
    fileprivate var date: Date { Date(syncMilliseconds: milliseconds) }
}

extension SyncError {
    static let objectGone = SyncError(
        .unknownItem, "The object is deleted.", cure: "Insert it again; 'coredata sync conflicts' lists what was lost.")
}

extension SyncValue {
    /// The value as text for people; nil for null.
    var shownText: String? {
        switch self {
        case .null: nil
        case .bool(let flag): flag ? "true" : "false"
        case .int(let number): "\(number)"
        case .float(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .string(let text), .uri(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
        case .uuid(let uuid): uuid.uuidString
        case .data(let bytes): "\(bytes.count) bytes"
        case .large(let large): "\(large.size) bytes"
        case .array(let elements): "[" + elements.map { $0.shownText ?? "null" }.joined(separator: ", ") + "]"
        case .unknown(let tag, let bytes): "value of kind \(tag), \(bytes.count) bytes"
        }
    }
}
