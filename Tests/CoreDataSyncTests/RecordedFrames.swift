import CoreDataSync
import Foundation
import SyncSimulator

/// Frames that simulated peers sent, and what is in them as lines of text, which the second reader prints as well.
enum RecordedFrames {
    static func frames(seed: UInt64) throws -> [[UInt8]] {
        var settings = try SimulationSettings.drawn(from: seed)
        settings.recordsFrames = true
        var simulation = try Simulation(seed: seed, settings)
        try simulation.run()
        return simulation.frames
    }

    static func lines(of frame: [UInt8]) throws -> [String] {
        switch try SyncFrame.decode(frame) {
        case .transactions(let transactions): return transactions.flatMap { lines(of: $0) }
        case .greeting(let greeting):
            let former = greeting.former.map { " former \($0)" } ?? ""
            let digests = greeting.applied.sorted.map { digest(greeting.digests[$0.author] ?? 0) }.joined(
                separator: ",")
            let vectors = "\(text(greeting.applied)) \(digests) \(text(greeting.floor))"
            return ["greeting \(greeting.sender)\(former) \(vectors) \(greeting.wantsAnswer ? 1 : 0)"]
        case .baseline(let baseline):
            return [
                "baseline \(baseline.sender) \(baseline.part)/\(baseline.partCount) \(text(baseline.applied)) "
                    + "\(baseline.objects.count) \(baseline.links.count)"
            ]
        case .retired(let peer, let sender): return ["retired \(peer) \(sender)"]
        case .wantedChunks(let digests): return ["wanted \(digests.count)"]
        case .chunk(let bytes): return ["chunk \(bytes.count)"]
        }
    }

    private static func digest(_ digest: UInt32) -> String { String(format: "%08x", digest) }

    private static func text(_ vector: VersionVector) -> String {
        "[" + vector.sorted.map(\.description).joined(separator: ",") + "]"
    }

    private static func lines(of transaction: SyncTransaction) -> [String] {
        let dependencies = transaction.dependencies.map(\.description).joined(separator: ",")
        let carried = transaction.carried.map { " carries \($0.id) \(text($0.seen))" } ?? ""
        return [
            "transaction \(transaction.id) \(transaction.time) [\(dependencies)]\(carried) \(transaction.generation)"
                + " \(digest(transaction.previous)) \(digest(transaction.digest))"
        ]
            + transaction.operations.map { "  " + text($0) }
    }

    private static func text(_ operation: SyncOperation) -> String {
        switch operation {
        case .create(let ordinal, let entity): "create \(ordinal) \(entity)"
        case .set(let object, let attribute, let value): "set \(object) \(attribute) \(text(value))"
        case .clear(let object, let attribute): "clear \(object) \(attribute)"
        case .count(let object, let attribute, let value, let counted):
            "count \(object) \(attribute) \(text(value))"
                + counted.sorted { $0.key < $1.key }.map { " \($0.key) \(text($0.value))" }.joined()
        case .add(let object, let attribute, let value): "add \(object) \(attribute) \(text(value))"
        case .include(let object, let attribute, let value): "include \(object) \(attribute) \(text(value))"
        case .exclude(let object, let attribute, let value): "exclude \(object) \(attribute) \(text(value))"
        case .delete(let object): "delete \(object)"
        case .unite(let one, let other): "unite \(one) \(other)"
        case .link(let link):
            "link \(link.relationship) \(link.source) \(link.target) \(link.replacesTargets ? 1 : 0)"
                + "\(link.replacesSources ? 1 : 0) \(text(link.sourcePosition)) \(text(link.targetPosition))"
        case .unlink(let relationship, let source, let target): "unlink \(relationship) \(source) \(target)"
        case .admit(let peer, let role): "admit \(peer) \(role.rawValue)"
        case .retire(let peer): "retire \(peer)"
        case .unknown(let tag, let bytes): "unknown \(tag) \(hex(bytes))"
        }
    }

    private static func text(_ position: ListPosition?) -> String {
        guard let position else { return "-" }
        return position.steps.map { "\($0.isLeft ? "L" : "R")\($0.run.transaction)/\($0.run.number)/\($0.offset)" }
            .joined(separator: ";")
    }

    static func text(_ value: SyncValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): "int \(value)"
        case .float(let value): "float " + String(format: "%08x", value.bitPattern)
        case .double(let value): "double " + String(format: "%016lx", value.bitPattern)
        case .date(let value): "date " + String(format: "%016lx", value.bitPattern)
        case .decimal(let value): "decimal \(value.description)"
        case .string(let value): "string " + hex(Array(value.utf8))
        case .data(let value): "data " + hex(value)
        case .uuid(let value): "uuid " + value.uuidString.lowercased()
        case .uri(let value): "uri " + hex(Array(value.utf8))
        case .array(let values): "[" + values.map { text($0) }.joined(separator: ", ") + "]"
        case .large(let value):
            "large \(value.kind.rawValue)" + value.chunks.map { " \($0.digest)/\($0.size)" }.joined()
        case .unknown(let tag, let bytes): "unknown \(tag) " + hex(bytes)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
