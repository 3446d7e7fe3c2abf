import TestBasics

/// Random lines of JSON for a `Depot`: objects that refer to earlier and later ones, and now and then one that is bad.
struct RandomRecords {
    private var random: SeededRandom
    private var claimed: Set<String> = []
    private let count: Int
    /// The names of the entities by the numbers of the objects.
    private let entities: [String]

    init(_ count: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        self.count = count
        let few = ["Item", "Item", "Item", "Tool", "Tool", "Shelf", "Note", "Box"]
        entities = (0..<count).map { number in number == 0 ? "Shelf" : few.randomElement(using: &random) ?? "Item" }
        self.random = random
    }

    /// The lines; with `isSound`, without bad ones.
    mutating func lines(isSound: Bool = false) -> [String] {
        var order = Array(0..<count)
        if Bool.random(using: &random) { order.shuffle(using: &random) }
        return order.map { line($0, isBad: !isSound && chance(12)) }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    private func label(_ number: Int) -> String { "\"x-coredata://S/\(entities[number])/p\(number + 1)\"" }

    /// The label of some object of one of these entities.
    private mutating func target(_ wanted: String...) -> String? {
        for _ in 0..<20 {
            let number = Int.random(in: 0..<count, using: &random)
            if wanted.contains(entities[number]) { return label(number) }
        }
        return nil
    }

    private mutating func targets(_ wanted: String...) -> String {
        let most = Int.random(in: 0...3, using: &random)
        var labels: [String] = []
        for _ in 0..<most {
            let found = wanted.count == 1 ? target(wanted[0]) : target(wanted[0], wanted[1])
            if let found, !labels.contains(found) { labels.append(found) }
        }
        return "[" + labels.joined(separator: ",") + "]"
    }

    private mutating func line(_ number: Int, isBad: Bool) -> String {
        var (attributes, relationships) = (["\"code\":\"c\(number)\""], [String]())
        switch entities[number] {
        case "Item", "Tool": fillItem(number, &attributes, &relationships)
        // Of two that claim the one place the later has it, which is not the same for rows and objects.
        case "Shelf":
            if chance(4), let next = target("Shelf"), claimed.insert(next).inserted {
                relationships.append("\"next\":\(next)")
            }
        default: break
        }
        var label = label(number)
        if isBad { spoil(&attributes, &relationships, &label) }
        return "{\"objectID\":\(label),\"entity\":\"\(entities[number])\",\"attributes\":{"
            + attributes.joined(separator: ",") + "},\"relationships\":{" + relationships.joined(separator: ",") + "}}"
    }

    private mutating func fillItem(_ number: Int, _ attributes: inout [String], _ relationships: inout [String]) {
        attributes.append("\"flag\":\(Bool.random(using: &random))")
        if entities[number] == "Tool" { attributes.append("\"sharpness\":\(Int.random(in: -5...100, using: &random))") }
        let values = [
            "\"count\":\(Int.random(in: 0...300, using: &random))", "\"count\":null",
            "\"weight\":\(Double(number) / 7)",
            "\"price\":\"12.\(number)\"", "\"shade\":0.1", "\"made\":\"2024-02-29T12:00:00.\(100 + number % 900)Z\"",
            "\"link\":\"https://example.org/\(number)\"", "\"place\":{\"room\":\"é \\u00e9\",\"height\":1.25}",
            "\"token\":\"123E4567-E89B-12D3-A456-426614174000\"", "\"image\":\"AQIDBA==\"", "\"weight\":\"NaN\"",
            "\"tags\":\"AQID\"",
        ]
        var used: Set<Substring> = []
        for value in values where chance(2) && used.insert(value.prefix { $0 != ":" }).inserted {
            attributes.append(value)
        }
        relationships.append("\"shelf\":\(target("Shelf") ?? label(0))")
        if chance(3), let parent = target("Item", "Tool") { relationships.append("\"parent\":\(parent)") }
        if chance(3) { relationships.append("\"likes\":\(targets("Item", "Tool"))") }
        if chance(5) { relationships.append("\"notes\":\(targets("Note"))") }
        if chance(8), let box = target("Box") { relationships.append("\"box\":\(box)") }
    }

    private mutating func spoil(
        _ attributes: inout [String], _ relationships: inout [String], _ label: inout String
    ) {
        // A key that is there twice makes the whole file one that is no JSON.
        func replace(_ key: String, by value: String) {
            attributes.removeAll { $0.hasPrefix("\"\(key)\":") }
            attributes.append("\"\(key)\":\(value)")
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: replace("count", by: "40000")
        case 1: replace("weight", by: "1e9")
        case 2: attributes.removeFirst()
        case 3: attributes[0] = "\"code\":\"c\(Int.random(in: 0..<count, using: &random))\""
        case 4: attributes.append("\"nothing\":1")
        case 5: relationships = ["\"shelf\":\"x-coredata://S/Shelf/p99999\""]
        case 6: relationships = ["\"shelf\":\"x-coredata://S/Item/p2\"", "\"parent\":\(target("Shelf") ?? "3")"]
        case 7: relationships = []
        case 8: label = self.label(Int.random(in: 0..<count, using: &random))
        default: replace("made", by: "\"2023-02-29\"")
        }
    }
}
