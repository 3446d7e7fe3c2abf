import CoreDataModelEditing
import TestBasics
import Testing

/// Sources that are read by what differs from the state before, beside the reading of the whole.
@Suite struct AcceptedSourceTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ (state >> 31)) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    private static let loose = ["", "YES", "Nowhere", "x y", "Integer 16", "Composite", "hash", "-1", "name", "Hero"]

    /// Entities in lines of parents, with relationships up and down these lines.
    private static func family(_ count: Int) -> String {
        let entities = (0..<count).map { number in
            let parent = number % 5 == 0 ? "" : " parentEntity=\"E\(number - 1)\""
            let (next, previous) = ((number + 7) % count, (number + count - 7) % count)
            return """
                    <entity name="E\(number)"\(parent)>
                        <attribute name="a\(number)" optional="YES" attributeType="String"/>
                        <attribute name="b\(number)" optional="YES" attributeType="Integer 16"/>
                        <relationship name="next\(number)" optional="YES" maxCount="1" destinationEntity="E\(next)" inverseName="prev\(next)" inverseEntity="E\(next)"/>
                        <relationship name="prev\(number)" optional="YES" toMany="YES" destinationEntity="E\(previous)" inverseName="next\(previous)" inverseEntity="E\(previous)"/>
                        <fetchIndex name="byA"><fetchIndexElement property="a\(number - number % 5)" type="Binary"/></fetchIndex>
                    </entity>
                """
        }
        return "<model>\n\(entities.joined(separator: "\n"))\n</model>\n"
    }

    private struct Place {
        let path: ModelPath
        let element: ModelElement
    }

    /// The entities and what stands in them.
    private static func places(_ document: ModelDocument) -> (entities: [Place], inner: [Place]) {
        var (entities, inner): ([Place], [Place]) = ([], [])
        for entity in document.root.elements where entity.name == "entity" {
            let path = ModelPath.model.step("entity", entity["name"])
            entities.append(Place(path: path, element: entity))
            inner += entity.elements.filter { $0["name"] != nil }.map {
                Place(path: path.step($0.name, $0["name"]), element: $0)
            }
        }
        return (entities, inner)
    }

    /// Changes something in a source without asking whether that makes sense.
    private static func mutate(_ document: inout ModelDocument, _ numbers: inout Numbers) throws {
        let (entities, inner) = places(document)
        guard let entity = entities.randomElement(using: &numbers), let other = entities.randomElement(using: &numbers),
            let place = inner.randomElement(using: &numbers), let another = inner.randomElement(using: &numbers)
        else { return }
        let name = other.element["name"] ?? ""
        let own = another.element["name"] ?? ""
        let loose = loose.randomElement(using: &numbers) ?? ""
        switch Int.random(in: 0..<14, using: &numbers) {
        case 0: try document.set(name, for: "parentEntity", at: entity.path)
        case 1: try document.set(nil, for: "parentEntity", at: entity.path)
        case 2: try document.set(name, for: "destinationEntity", at: place.path)
        case 3: try document.set(own, for: "inverseName", at: place.path)
        case 4: try document.set(own, for: "name", at: place.path)
        case 5:
            try document.set(loose, for: "name", at: [entity, place].randomElement(using: &numbers)?.path ?? .model)
        case 6: try document.set(loose, for: place.element.attributes.last?.name ?? "optional", at: place.path)
        case 7: try document.remove(place.path)
        case 8: try document.remove(entity.path)
        case 9: try document.add(another.element, to: entity.path)
        case 10: try document.add(ModelElement("entity", [ModelAttribute("name", loose)]), to: .model)
        case 11: try document.set(loose, for: "attributeType", at: place.path)
        case 12:
            let copy = try Self.renamed(entity.element, "F\(Int.random(in: 0..<9, using: &numbers))")
            try document.add(copy, to: .model)
        default: try document.set("NO", for: "optional", at: place.path)
        }
    }

    private static func renamed(_ element: ModelElement, _ name: String) throws -> ModelElement {
        var copy = element
        try copy.set(name, for: "name")
        return copy
    }

    private static func follow(_ source: String, steps: Int, _ numbers: inout Numbers) throws -> (Int, Int, Int) {
        var document = try EditedSource.document(source)
        var accepted = try AcceptedSource(document)
        var (taken, refused) = (0, 0)
        for _ in 0..<steps {
            var next = document
            for _ in 0..<Int.random(in: 1...2, using: &numbers) { try? mutate(&next, &numbers) }
            let (whole, partial) = (
                refusal { _ = try next.makeModel() }, refusal { try accepted.advance(to: next) }
            )
            #expect(partial == whole)
            if whole == nil { (document, taken) = (next, taken + 1) } else { refused += 1 }
        }
        return (taken, refused, accepted.wholeCount)
    }

    private static func refusal(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
    }

    @Test(
        "what an edit leaves is refused exactly where the reading of the whole refuses it (TOOL-06)",
        arguments: TestSeed.sequences(8, exhaustive: 400))
    func whatEditLeavesIsRefusedExactlyWhereReadingOfWholeRefuses(seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        var sources = [EditedSource.text, Self.family(40)]
        if Fixtures.areAvailable, let path = FixtureSources.paths.randomElement(using: &numbers),
            let text = try? String(contentsOf: Fixtures.url(path), encoding: .utf8), text.utf8.count < 30_000,
            (try? EditedSource.document(text).makeModel()) != nil
        {
            sources.append(text)
        }
        for (number, source) in sources.enumerated() {
            let (taken, refused, wholes) = try Self.follow(source, steps: 150, &numbers)
            guard number == 1 else { continue }
            #expect(taken > 10 && refused > 10, "seed \(seed): \(taken) taken, \(refused) refused")
            #expect(wholes < taken, "seed \(seed): \(wholes) of \(taken) were read as a whole")
        }
    }

    @Test("an edit of one entity among a thousand reads that entity, and not the model (TOOL-06)")
    func readsWhatIsChanged() throws {
        var document = try EditedSource.document(Self.family(1_000))
        var accepted = try AcceptedSource(document)
        let entity = ModelPath.model.step("entity", "E500")
        try document.set("NO", for: "optional", at: entity.step("attribute", "a500"))
        try accepted.advance(to: document)
        try document.set("renamed", for: "name", at: entity.step("attribute", "b500"))
        try accepted.advance(to: document)
        try document.add(ModelElement("entity", [ModelAttribute("name", "Fresh")]), to: .model)
        try accepted.advance(to: document)
        #expect(accepted.wholeCount == 1)
        try document.remove(ModelPath.model.step("entity", "Fresh"))
        try accepted.advance(to: document)
        #expect(accepted.wholeCount == 2)
    }

    @Test("a heir with the name of a property that its parent gets is refused (TOOL-06)")
    func heirsOfTheChanged() throws {
        var document = try EditedSource.document(Self.family(20))
        var accepted = try AcceptedSource(document)
        let attribute = ModelPath.model.step("entity", "E0").step("attribute", "a0")
        try document.set("b4", for: "name", at: attribute)
        #expect(throws: ModelingError.self) { try accepted.advance(to: document) }
        #expect(throws: ModelingError.self) { _ = try document.makeModel() }
    }
}
