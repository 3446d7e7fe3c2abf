import CoreDataModelEditing
import TestBasics
import Testing

@Suite(.enabled(if: Fixtures.areAvailable, Comment(rawValue: Fixtures.missing)))
struct FixtureEditTests {
    private func forEachReadableSource(
        _ paths: [String] = FixtureSources.paths, _ body: (String, ModelDocument) throws -> Void
    ) throws -> Int {
        var count = 0
        for path in paths {
            let document = try ModelDocument(at: Fixtures.url(path))
            guard (try? document.makeModel()) != nil else { continue }
            count += 1
            try body(path, document)
        }
        return count
    }

    @Test("every source among the fixtures keeps every byte where it is not edited (TOOL-06)")
    func untouchedSourcesKeepEveryByte() throws {
        #expect(FixtureSources.paths.count >= 159)
        for path in FixtureSources.paths {
            let data = try Data(contentsOf: Fixtures.url(path))
            #expect(try ModelDocument(data).data == data, "\(path)")
        }
    }

    @Test("renaming everything changes nothing but names, and renaming it back leaves the very bytes (TOOL-06)")
    func renamedBack() throws {
        var number = 0
        let paths = TestSeed.sample(FixtureSources.paths, step: 4)
        let count = try forEachReadableSource(paths) { path, document in
            number += 1
            let keepsIdentity = number % 3 == 0
            let items = document.items.filter { item in
                switch item {
                case .entity, .property: true
                default: false
                }
            }
            var editor = ModelEditor(document)
            // Properties before their entities, which still have the names that the items say.
            for item in items.reversed() {
                try editor.apply(.rename(item, to: Self.mark + item.name, keepsIdentity: keepsIdentity))
            }
            let renamed = try EditedSource.description(of: ModelDocument(editor.document.data))
            if !keepsIdentity {
                // The mark stands before every name, so it leaves their order as it was.
                let unmarked = renamed.replacing(Self.mark, with: "")
                #expect(try unmarked == EditedSource.description(of: document), "\(path)")
            }
            for item in items {
                try editor.apply(.rename(Self.marked(item), to: item.name, keepsIdentity: keepsIdentity))
            }
            #expect(editor.document.data == document.data, "\(path)")
        }
        #expect(count > paths.count * 9 / 10)
    }

    private static let mark = "x9_"

    /// An item whose own name has the mark; entities are renamed back before their properties.
    private static func marked(_ item: SourceItem) -> SourceItem {
        switch item {
        case .property(let name, let entity): .property(mark + name, entity: entity)
        default: .entity(mark + item.name)
        }
    }

    @Test("an attribute that is added is in the model as if code had made it, and goes without a trace (TOOL-06)")
    func addedAndRemoved() throws {
        var added = 0
        let count = try forEachReadableSource { path, document in
            // All entities of all sources take a minute.
            let entities = document.items(in: .model).filter { if case .entity = $0 { true } else { false } }
            for (number, item) in entities.enumerated() where number % 7 == 0 {
                let name = item.name
                let item = SourceItem.property("zz9_added", entity: name)
                var session = ModelEditSession(document)
                try session.perform([.add(.attribute, item, [.init("type", "String"), .init("default", "x")])])
                if number == 0 {
                    let expected = try document.makeModel().model
                    let attribute = NSAttributeDescription()
                    attribute.name = "zz9_added"
                    attribute.attributeType = .stringAttributeType
                    attribute.isOptional = true
                    attribute.defaultValue = "x"
                    let entity = try #require(expected.entitiesByName[name])
                    entity.properties.append(attribute)
                    let edited = EditedSource.description(of: try session.document.makeModel().model)
                    #expect(edited == EditedSource.description(of: expected), "\(path) \(name)")
                }
                added += 1
                try session.perform([.remove(item, withReferences: false)])
                #expect(session.document.data == document.data, "\(path) \(name)")
            }
        }
        #expect(count > 150 && added > 150)
    }

    @Test("entities, requests, configurations and indexes that are added and removed leave the very bytes (TOOL-06)")
    func addedPartsAndRemoved() throws {
        _ = try forEachReadableSource { path, document in
            guard
                case .entity(let name)? = document.items(in: .model).first(where: {
                    if case .entity = $0 { true } else { false }
                })
            else { return }
            let edits = [
                "add entity Zz9", "add fetch-request requests/zz9 entity=\(name)",
                "add configuration configurations/zz9 entities=\(name)", "add user-info \(name)/user-info/zz9 value=1",
            ]
            for edit in edits {
                var session = ModelEditSession(document)
                let edit = try ModelEdit(edit)
                try session.perform([edit])
                #expect(session.document.data != document.data)
                try session.perform([.remove(edit.item, withReferences: false)])
                #expect(session.document.data == document.data, "\(path) \(edit)")
            }
        }
    }

    @Test("an option of any item among the fixtures that is set to what it is changes no byte (TOOL-07)")
    func optionsSetToWhatTheyAre() throws {
        var count = 0
        _ = try forEachReadableSource { path, document in
            var editor = ModelEditor(document)
            // All items of all sources take a minute.
            for (number, item) in ([.model] + document.items).enumerated() where number % 5 == 0 {
                for (option, value, _) in try document.options(of: item) {
                    guard let value else { continue }
                    count += 1
                    try editor.apply(.set(item, [.init(option.name, value)]))
                }
            }
            #expect(editor.document.data == document.data, "\(path)")
        }
        #expect(count > 4_000)
    }
}
