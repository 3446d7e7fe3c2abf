import CoreData
import CoreDataViewing
import CoreDataWorkbench
import StoreContract
import Testing

@Suite("Drawings of the fetch console")
struct ChartDrawingTests {
    @Test("bars have a title, a description in words and a text for each (BRW-45)")
    func barsHaveTitleDescriptionInWordsAndText() throws {
        let scene = try SummaryScene(.inMemory)
        let svg = try ChartDrawing(scene.ask("sex", "count", kind: .bar)).svg
        #expect(svg.contains("<title id=\"chart-title\">Hero: count by sex</title>"))
        #expect(svg.contains("Bar chart with 3 bars. count: from 12 (–) to 24 (Female)."), "\(svg.prefix(600))")
        #expect(
            svg.components(separatedBy: "<rect class=\"s0\"").count == 4 && svg.contains("<title>Female: 24</title>"))
        #expect(!svg.contains("style=") && !svg.contains("<script") && !svg.contains("href"))
        #expect(try ChartDrawing(scene.ask("sex", "count", kind: .bar)).svg == svg)
    }

    @Test("lines over parts of dates lie by their time, two keys make a series each, points need two numbers (BRW-45)")
    func linesAndPoints() throws {
        let scene = try SummaryScene(.inMemory)
        let lines = try ChartDrawing(scene.ask("birthDate@year,sex", "average:weight", kind: .line)).svg
        #expect(
            lines.contains("<path class=\"l2\"") && lines.contains(">Female</text>") && lines.contains(">2001</text>"))
        let points = try ChartDrawing(scene.ask("name,weight", "max:strength", kind: .scatter)).svg
        let known = scene.heroes.filter { $0.strength != nil }
        #expect(points.components(separatedBy: "<circle").count == known.count + 1)
        #expect(throws: InspectionError.self) { try ChartDrawing(scene.ask("sex", "min:name", kind: .bar)) }
        #expect(throws: InspectionError.self) { try ChartDrawing(scene.ask("sex", "count", kind: .scatter)) }
        #expect(throws: InspectionError.self) { try ChartDrawing(scene.ask("sex", "count", kind: .table)) }
        #expect(throws: InspectionError.self) {
            try ChartDrawing(scene.ask("sex", where: "name == 'nobody'", kind: .bar))
        }
    }

    @Test("many bars are cut with a note, and names are not read as markup (BRW-45)")
    func hostileNames() throws {
        let stack = try Stack(SuperDB.model(), kind: .inMemory)
        for number in 0..<80 {
            stack.context.insert("Hero", ["name": "<script>alert(1)</script>&\"\u{202E}\u{1}\(number)"])
        }
        try stack.context.save()
        let entity = try #require(stack.model.entitiesByName["Hero"])
        let question = try SummaryRequest(
            entity, in: stack.store, where: nil, group: "name", aggregates: [], having: nil, sort: nil, limit: 100,
            kind: .bar)
        let svg = try ChartDrawing(stack.context.summary(of: question, in: stack.store)).svg
        #expect(
            !svg.contains("<script") && svg.contains("&lt;script&gt;") && !svg.contains("\u{202E}")
                && !svg.contains("\u{1}"))
        #expect(svg.contains("Not drawn: 20 rows.") && svg.components(separatedBy: "<rect class=\"s0\"").count == 61)
    }

    @Test(
        "numbers of any size have a scale (BRW-45)",
        arguments: [
            [0], [-3, 5], [1e308, -1e308], [1e-300, 2e-300], [Double(Int64.max), 1], [123_456_789, 123_456_790], [-0.5],
        ] as [[Double]])
    func numbersOfAnySizeHaveScale(_ values: [Double]) throws {
        let model = try SuperDB.model("<attribute name=\"weight\" attributeType=\"Double\"/>")
        let stack = try Stack(model, kind: .inMemory)
        for (number, value) in values.enumerated() {
            stack.context.insert("Hero", ["name": "\(number)", "weight": value])
        }
        try stack.context.save()
        for kind in [ChartKind.bar, .line, .scatter] {
            let question = try SummaryRequest(
                #require(model.entitiesByName["Hero"]), in: stack.store, where: nil, group: "name,weight",
                aggregates: ["max:weight"],
                having: nil, sort: nil, limit: 100, kind: kind)
            let svg = try ChartDrawing(stack.context.summary(of: question, in: stack.store)).svg
            for word in ["nan", "inf\"", "NaN"] { #expect(!svg.contains(word), "\(svg)") }
        }
    }

    @Test("a narrow drawing keeps all within its width, and texts at their size (BRW-54)", arguments: [240, 390, 800])
    func narrowDrawingKeepsAllWithinItsWidth(_ width: Int) throws {
        let scene = try SummaryScene(.inMemory)
        for (group, kind) in [("birthDate@year,sex", ChartKind.line), ("sex", .bar)] {
            let svg = try ChartDrawing(scene.ask(group, "count", kind: kind), width: width).svg
            #expect(svg.contains("viewBox=\"0 0 \(width) 440\"") && svg.contains("font-size=\"12\""))
            let places = svg.matches(of: /\b(?:x|x1|x2|cx)="([0-9.]+)"/).compactMap { Double($0.1) }
            #expect(places.count > 5 && places.allSatisfy { $0 <= Double(width) })
        }
        let usual = try ChartDrawing(scene.ask("sex", "count", kind: .bar))
        #expect(try ChartDrawing(scene.ask("sex", "count", kind: .bar), width: 800).svg == usual.svg)
    }
}
