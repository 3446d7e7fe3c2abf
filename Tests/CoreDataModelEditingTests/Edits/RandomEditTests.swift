import CoreDataModelEditing
import TestBasics
import Testing

/// Random edits of one source after the other.
@Suite struct RandomEditTests {
    /// Numbers that follow from a seed.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private static let words = ["a1", "b2", "name", "age", "hero", "Lair", "Item", "first", "x y", "2z", "objectID"]
    private static let values = [
        "YES", "NO", "1", "0", "-3", "2.5", "Hero", "Power", "name", "hero", "String", "Integer 64", "Date", "Decimal",
        "Composite", "cascade", "class", "name,-age", "age > 2", "a == ", "2013-04-23", "canonical:(name)", "<&>\"'",
        "",
    ]

    private static func edit(_ document: ModelDocument, _ numbers: inout Numbers) -> ModelEdit {
        let items = document.items
        let item = items.randomElement(using: &numbers) ?? .model
        let word = words.randomElement(using: &numbers) ?? ""
        let entity = document.items(in: .model).randomElement(using: &numbers)?.name ?? "Hero"
        func settings(_ kind: SourceItemKind) -> [OptionSetting] {
            let names = kind.options.map(\.name).shuffled(using: &numbers).prefix(
                Int.random(in: 0...3, using: &numbers))
            return names.map {
                let value = values.randomElement(using: &numbers) ?? ""
                return OptionSetting($0, value.isEmpty ? nil : value)
            }
        }
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0: return .rename(item, to: word, keepsIdentity: Bool.random(using: &numbers))
        case 1: return .remove(item, withReferences: Bool.random(using: &numbers))
        case 2: return .move(item, to: entity)
        case 3...6:
            guard let kind = try? document.kind(of: item) else { return .set(item, []) }
            return .set(item, settings(kind))
        case 7: return .add(.entity, .entity(word), [])
        case 8:
            let type = OptionSetting("type", ["String", "Integer 32", "Date"].randomElement(using: &numbers))
            return .add(.attribute, .property(word, entity: entity), [type])
        default:
            let destination = OptionSetting("destination", entity)
            return .add(
                .relationship, .property(word, entity: entity),
                [destination] + settings(.relationship).filter { $0.name == "to-many" })
        }
    }

    @Test(
        "whatever is edited, every result reads, and undoing gives the very bytes back (TOOL-06)",
        arguments: TestSeed.sequences(12, exhaustive: 1_000))
    func randomEdits(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        var sources = [EditedSource.text]
        if Fixtures.areAvailable, let path = FixtureSources.paths.randomElement(using: &numbers),
            let text = try? String(contentsOf: Fixtures.url(path), encoding: .utf8), text.utf8.count < 30_000,
            (try? EditedSource.document(text).makeModel()) != nil
        {
            sources.append(text)
        }
        var taken = 0
        for source in sources {
            var session = ModelEditSession(try EditedSource.document(source))
            var states = [session.document.data]
            for _ in 0..<60 {
                let edits = (0..<Int.random(in: 1...2, using: &numbers)).map { _ in
                    Self.edit(session.document, &numbers)
                }
                let before = session.document.data
                do {
                    try session.perform(edits)
                    _ = try ModelDocument(session.document.data).makeModel()
                    if session.document.data != before { states.append(session.document.data) }
                } catch is ModelEditError {
                    #expect(session.document.data == before, "seed \(seed): \(edits)")
                } catch {
                    #expect(error is ModelingError, "seed \(seed): \(edits): \(error)")
                    #expect(session.document.data == before, "seed \(seed): \(edits)")
                }
            }
            taken += states.count
            let last = session.document.data
            for state in states.reversed() {
                #expect(session.document.data == state, "seed \(seed)")
                session.undo()
            }
            while session.redo() {}
            #expect(session.document.data == last, "seed \(seed)")
        }
        // Removing what all else stands in leaves little to edit.
        #expect(taken > 5, "seed \(seed): almost nothing was taken")
    }
}
