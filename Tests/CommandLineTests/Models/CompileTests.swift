import CoreData
import TestBasics
import Testing

@Suite struct CompileTests {
    private let hero = #"<entity name="Hero"><attribute name="name" attributeType="String"/></entity>"#
    private let villain = #"<entity name="Villain"/>"#

    @Test("all versions are compiled, with VersionInfo.plist that names the current one (TOOL-01)")
    func allVersionsAreCompiled() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M 2", hero + villain), ("M", hero))
        let outcome = try Tool.run("compile", package, "-o", folder.path("M.momd"))
        #expect(outcome.code == 0)
        #expect(outcome.output + outcome.errors == "")
        #expect(try folder.files("M.momd").keys.sorted() == ["M 2.mom", "M.mom", "VersionInfo.plist"])
        let source = try NSManagedObjectModel(reading: URL(fileURLWithPath: package))
        let compiled = try NSManagedObjectModel(reading: folder.url.appendingPathComponent("M.momd"))
        #expect(compiled.entityVersionHashesByName == source.entityVersionHashesByName)
        #expect(compiled.entities.count == 2)
        let older = try Tool.run("compile", package, "--output", folder.path("Old.mom"), "--version", "M")
        #expect(older.code == 0)
        let model = try NSManagedObjectModel(reading: folder.url.appendingPathComponent("Old.mom"))
        #expect(model.entities.map(\.name) == ["Hero"])
    }

    @Test("layout, comments and order leave the compiled bytes as they are, a real change does not (TOOL-01)")
    func layoutLeavesNoTrace() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let layout =
            #"<elements><element name="Hero" positionX="9" positionY="-3" width="128" height="90"/></elements>"#
        let sources = [
            "a": hero + villain, "b": hero + villain + layout, "c": villain + "<!-- moved -->" + hero,
            "d": hero + #"<entity name="Villain" isAbstract="YES"/>"#,
        ]
        var files: [String: [String: Data]] = [:]
        for (name, body) in sources {
            let package = try folder.package("\(name).xcdatamodeld", ("M", body))
            #expect(try Tool.run("compile", package, "-o", folder.path("\(name).momd")).code == 0)
            files[name] = try folder.files("\(name).momd")
        }
        #expect(files["a"] == files["b"])
        #expect(files["a"] == files["c"])
        #expect(files["a"] != files["d"])
    }

    @Test("every version's error names file, line, entity and property, and nothing is written (TOOL-01)")
    func errorsArePrintedAsCompilersDo() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package(
            "M.xcdatamodeld", ("M", #"<entity name="Hero"><attribute name="name"/></entity>"#),
            ("M 2", #"<entity name="Hero"><relationship name="r" destinationEntity="Ghost"/></entity>"#))
        #expect(
            try Tool.run("compile", try folder.package("ok.xcdatamodeld", ("M", hero)), "-o", folder.path("M.momd"))
                .code == 0)
        let before = try folder.files("M.momd")
        let outcome = try Tool.run("compile", package, "-o", folder.path("M.momd"))
        #expect(outcome.code == 1)
        #expect(outcome.output == "")
        #expect(outcome.errorLines.count == 3)
        #expect(outcome.errorLines[0].hasPrefix("\(package)/M 2.xcdatamodel/contents:3:"))
        #expect(outcome.errorLines[0].contains("error: 'Hero.r' leads to the unknown entity 'Ghost'"))
        #expect(outcome.errorLines[1].contains("error: 'Hero.name' has no type"))
        #expect(outcome.errorLines[2].contains("2 errors, nothing is written"))
        #expect(try folder.files("M.momd") == before)
    }

    @Test(
        "a relationship without an inverse is a warning, all errors of a version are reported at once (MOD-28, TOOL-01)"
    )
    func findingsAreReported() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let oneWay =
            #"<entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="A"/></entity>"#
        let warned = try Tool.run(
            "compile", try folder.package("W.xcdatamodeld", ("M", oneWay)), "-o", folder.path("W.momd"))
        #expect(warned.code == 0)
        #expect(warned.errorLines.contains { $0.contains("warning: 'A.b'") && $0.contains("[missing-inverse]") })
        let wrong = #"<entity name="A"><attribute name="x"/><attribute name="y"/></entity>"#
        let refused = try Tool.run(
            "compile", try folder.package("E.xcdatamodeld", ("M", wrong)), "-o", folder.path("E.momd"))
        #expect(refused.code == 1)
        #expect(refused.errorLines.filter { $0.contains(": error: 'A.") }.count == 2)
    }

    @Test func whatIsNotUnderstoodIsAWarning() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", #"<entity name="Hero" future="1"/>"#))
        let outcome = try Tool.run("compile", package, "-o", folder.path("M.mom"))
        #expect(outcome.code == 0)
        #expect(
            outcome.errors
                == "\(package)/M.xcdatamodel/contents:3:1: warning: 'future=1' is not understood and not compiled\n")
    }

    @Test("wrong names, missing versions and hostile sources leave nothing behind (HAZ-47)")
    func refusalsLeaveNothing() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", hero))
        try Data("precious".utf8).write(to: folder.url.appendingPathComponent("x.mom"))
        expectRefusal(try Tool.run("compile", package, "-o", folder.path("x.zip")), containing: ".momd, .mom")
        expectRefusal(try Tool.run("compile", package, "-o", folder.path("x.mom")), containing: "something else")
        #expect(try String(contentsOfFile: folder.path("x.mom"), encoding: .utf8) == "precious")
        let missing = try Tool.run("compile", package, "-o", folder.path("y.mom"), "--version", "\u{1B}[31m")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("there is no version '\\u001B[31m'"))
        #expect(try Tool.run("compile", package).code == 2)
        let bomb = try folder.package("B.xcdatamodeld", ("B", String(repeating: "<a>", count: 50_000)))
        let outcome = try Tool.run("compile", bomb, "-o", folder.path("b.momd"))
        #expect(outcome.code == 1)
        #expect(!outcome.wasKilled)
        #expect(try folder.names() == ["B.xcdatamodeld", "M.xcdatamodeld", "x.mom"])
    }

    @Test("sources in the form before Xcode 4 compile too (TOOL-01)", .enabled(if: Fixtures.areAvailable))
    func oldSourcesCompile() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let old = Fixtures.url("stores/magicalrecord-recipes/Samples/iOS/Application/Models/Recipes.xcdatamodeld")
        #expect(try Tool.run("compile", old.path, "-o", folder.path("R.momd")).code == 0)
        #expect(try folder.files("R.momd").keys.contains("Recipes.mom"))
        let model = try NSManagedObjectModel(reading: folder.url.appendingPathComponent("R.momd"))
        #expect(model.entityVersionHashesByName == (try NSManagedObjectModel(reading: old)).entityVersionHashesByName)
    }
}
