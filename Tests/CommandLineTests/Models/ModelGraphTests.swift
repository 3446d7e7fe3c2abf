import CoreData
import FoundationXML
import TestBasics
import Testing

/// The elements of a drawing.
private final class Drawing: NSObject, XMLParserDelegate {
    var texts: [String] = []
    var classes: [String: Int] = [:]
    private var text: String?

    init(_ path: String) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: URL(fileURLWithPath: path)))
        parser.delegate = self
        try #require(parser.parse(), "the drawing is no XML")
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if let kind = attributes["class"] { classes[kind, default: 0] += 1 }
        if name == "text" { text = "" }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text? += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if name == "text", let text { texts.append(text) }
        if name == "text" { text = nil }
    }
}

@Suite struct ModelGraphTests {
    private static let isArranged = FileManager.default.isExecutableFile(atPath: "/usr/bin/dot")

    @Test(
        "a box per entity, one line per pair, heads by number, a hollow head for inheritance (TOOL-08)",
        .enabled(if: isArranged))
    func drawingShowsTheModel() throws {
        let library = try Library()
        defer { library.remove() }
        let file = library.folder.appendingPathComponent("L.svg").path
        #expect(try Tool.run("model", "graph", library.package.path, "-o", file, "--delete-rules").code == 0)
        let drawing = try Drawing(file)
        #expect(drawing.classes["box"] == 3)
        #expect(drawing.classes["pair"] == 1)
        #expect(drawing.classes["single"] == nil)
        #expect(drawing.classes["head-many"] == 2)
        #expect(drawing.classes["head-one"] == 1)
        #expect(drawing.classes["head-parent"] == 1)
        #expect(drawing.texts.contains("books (Nullify)"))
        #expect(drawing.texts.contains("author (Nullify)"))
        #expect(drawing.texts.contains("Integer 16?"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(String(decoding: bytes, as: UTF8.self).contains("prefers-color-scheme: dark"))
        #expect(try Tool.run("model", "graph", library.package.path, "-o", file, "--delete-rules").code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
    }

    @Test("boxes show what is asked for (TOOL-08)", .enabled(if: isArranged), arguments: ["none", "names", "types"])
    func detailIsChosen(detail: String) throws {
        let library = try Library()
        defer { library.remove() }
        let file = library.folder.appendingPathComponent("L.svg").path
        #expect(try Tool.run("model", "graph", library.store.path, "-o", file, "--attributes", detail).code == 0)
        let drawing = try Drawing(file)
        #expect(drawing.texts.contains("isbn") == (detail != "none"))
        #expect(drawing.texts.contains("UUID?") == (detail == "types"))
        #expect(drawing.texts.contains("Novel"))
    }

    @Test("labels of many lines between two entities do not cover each other (TOOL-08)", .enabled(if: isArranged))
    func labelsDoNotOverlap() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let ways = (0..<8).map { number in
            #"<relationship name="aLongName\#(number)" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="back\#(number)" inverseEntity="B"/>"#
        }
        let backs = (0..<8).map { number in
            #"<relationship name="back\#(number)" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="A" inverseName="aLongName\#(number)" inverseEntity="A"/>"#
        }
        let package = try folder.package(
            "M.xcdatamodeld",
            ("M", "<entity name=\"A\">\(ways.joined())</entity><entity name=\"B\">\(backs.joined())</entity>"))
        #expect(try Tool.run("model", "graph", package, "-o", folder.path("m.svg")).code == 0)
        let text = try String(contentsOfFile: folder.path("m.svg"), encoding: .utf8)
        let places = text.matches(of: /class="label" x="([-0-9.]+)" y="([-0-9.]+)"/).map {
            (Double($0.1)!, Double($0.2)!)
        }
        #expect(places.count == 16)
        for (index, one) in places.enumerated() {
            for other in places[..<index] {
                #expect(abs(one.1 - other.1) >= 11 || abs(one.0 - other.0) >= 30, "\(one) \(other)")
            }
        }
    }

    @Test("the text for Graphviz needs no Graphviz, and Graphviz understands it (TOOL-08)")
    func dotIsWritten() throws {
        let library = try Library()
        defer { library.remove() }
        let file = library.folder.appendingPathComponent("L.dot").path
        let outcome = try Tool.run(
            ["model", "graph", library.package.path, "-o", file], environment: ["PATH": "/nonexistent"])
        #expect(outcome.code == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("arrowhead=veevee") || text.contains("arrowtail=veevee"))
        guard Self.isArranged else { return }
        let picture = try Tool.run(["-Tsvg", file], program: URL(fileURLWithPath: "/usr/bin/dot"))
        #expect(picture.code == 0)
        #expect(picture.errors == "")
    }

    @Test func missingGraphvizIsNamedWithTheCure() throws {
        let library = try Library()
        defer { library.remove() }
        let file = library.folder.appendingPathComponent("L.svg")
        let outcome = try Tool.run(
            ["model", "graph", library.package.path, "-o", file.path], environment: ["PATH": "/nonexistent"])
        expectRefusal(outcome, containing: "is not installed", "apt-get install graphviz", ".dot")
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(try Tool.run("model", "graph", library.package.path, "-o", "x.png").code == 2)
        #expect(try Tool.run("model", "graph", library.package.path).code == 2)
    }

    @Test(
        "names that could end a text of the drawing do not (HAZ-47)", .enabled(if: isArranged),
        arguments: ["svg", "dot"])
    func hostileNamesAreEscaped(form: String) throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        // Entities have plain names; versions, composites and compiled models do not.
        let body = #"""
            <entity name="A"><attribute name="c" optional="YES" attributeType="Composite" composite="&lt;script&gt;&amp;&quot;]]&gt;\N"/></entity>
            <composite name="&lt;script&gt;&amp;&quot;]]&gt;\N"><attribute name="x" optional="YES" attributeType="String"/></composite>
            """#
        let name = "<script>\"];}--><\u{202E}"
        let package = try folder.package("M.xcdatamodeld", (name, body))
        let outcome = try Tool.run("model", "graph", package, "-o", folder.path("m.\(form)"))
        #expect(outcome.code == 0, "\(outcome.errors)")
        let text = try String(contentsOfFile: folder.path("m.\(form)"), encoding: .utf8)
        #expect(!text.contains("<script>"))
        #expect(!text.contains("\u{202E}"))
        #expect(text.contains("&lt;script&gt;&quot;];}--&gt;&lt;\\u202E"))
        if form == "svg" { _ = try Drawing(folder.path("m.svg")) }
        guard form == "dot" else { return }
        let picture = try Tool.run(["-Tsvg", folder.path("m.dot")], program: URL(fileURLWithPath: "/usr/bin/dot"))
        #expect(picture.code == 0)
        #expect(picture.errors == "")
    }

    @Test("large models of the fixtures are drawn (TOOL-08)", .enabled(if: isArranged && Fixtures.areAvailable))
    func fixturesAreDrawn() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        for path in [
            "stores/xcservercoredata/Resources/XCServerCoreData.xcdatamodeld",
            "models/swiftgen-fixture/Sources/TestUtils/Fixtures/Resources/CoreData/Model.xcdatamodeld",
        ] {
            #expect(try Tool.run("model", "graph", Fixtures.url(path).path, "-o", folder.path("f.svg")).code == 0)
            let model = try NSManagedObjectModel(reading: Fixtures.url(path))
            let drawing = try Drawing(folder.path("f.svg"))
            #expect((drawing.classes["box"] ?? 0) + (drawing.classes["box abstract"] ?? 0) == model.entities.count)
        }
    }
}
