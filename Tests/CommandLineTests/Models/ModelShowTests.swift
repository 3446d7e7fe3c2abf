import CoreData
import Testing

@Suite struct ModelShowTests {
    private let body = #"""
        <entity name="Hero" syncable="NO" codeGenerationType="class" elementID="Person">
        <attribute name="age" optional="YES" attributeType="Integer 16" usesScalarValueType="YES" elementID="years"/>
        <attribute name="home" optional="YES" attributeType="Composite" composite="Place"/>
        <attribute name="plain" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(title)"/>
        <attribute name="title" optional="YES" attributeType="String" future="1" spotlightIndexingEnabled="YES"/>
        <fetchIndex name="byTitle"><fetchIndexElement property="title" type="Binary" order="descending"/></fetchIndex>
        </entity>
        <fetchRequest name="old" entity="Hero" predicateString="age &gt; 60"/>
        <configuration name="Local"><memberEntity name="Hero"/></configuration>
        <composite name="Place"><attribute name="city" optional="YES" attributeType="String"/></composite>
        """#

    @Test("all details of entities, properties, indexes, configurations and fetch requests are shown (TOOL-07)")
    func detailsAreShown() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", body))
        let outcome = try Tool.run("model", "show", package)
        #expect(outcome.code == 0, "\(outcome.errors)")
        for text in [
            "Hero  generated: class  not syncable  was Person", "age     Integer 16  optional, scalar, was years",
            "home    Composite   optional, of Place", "  city  String", "= canonical:(title)", "in Spotlight",
            "index byTitle: -title", "configuration Local: Hero", "fetch request old: Hero where age > 60",
            "not understood at 7:1: future=1",
        ] { #expect(outcome.output.contains(text), "\(text)\n\(outcome.output)") }
    }

    @Test("the model that a store keeps is shown and hashed, and the store is left alone (TOOL-07)")
    func modelOfAStoreIsShown() throws {
        let library = try Library()
        defer { library.remove() }
        let before = try FolderState(around: library.store)
        let version = library.package.appendingPathComponent("Library.xcdatamodel").path
        let hash = try Tool.run("model", "hash", library.store.path)
        #expect(hash.code == 0, "\(hash.errors)")
        #expect(try Tool.run("model", "hash", version).output == hash.output)
        let shown = try Tool.run("model", "show", library.store.path)
        #expect(shown.code == 0 && shown.output.contains("\nNovel : Book"), "\(shown.output)")
        #expect(try FolderState(around: library.store) == before)
        try Database.change(library.store, "DROP TABLE IF EXISTS Z_MODELCACHE")
        for command in ["show", "hash"] {
            expectRefusal(try Tool.run("model", command, library.store.path), containing: "keeps no model")
        }
        #expect(try Tool.run("model", "show", "--help").output.contains("MODEL|STORE"))
    }

    @Test("JSON has the same details (TOOL-07)")
    func detailsAreInJSON() throws {
        let folder = try ModelFolder()
        defer { folder.remove() }
        let package = try folder.package("M.xcdatamodeld", ("M", body))
        let report: [String: Any] = try Tool.run("model", "show", package, "--format", "json").json()
        let hero = try #require((report["entities"] as? [[String: Any]])?.first)
        #expect(hero["syncable"] as? Bool == false)
        #expect(hero["codeGeneration"] as? String == "class")
        let attributes = try #require(hero["attributes"] as? [[String: Any]])
        #expect(attributes[0]["scalar"] as? Bool == true)
        #expect((attributes[1]["elements"] as? [[String: Any]])?.first?["name"] as? String == "city")
        #expect(attributes[2]["derivation"] as? String == "canonical:(title)")
        #expect(attributes[3]["spotlight"] as? Bool == true)
        let note = try #require((report["notes"] as? [[String: Any]])?.first)
        #expect(note["line"] as? Int == 7)
        #expect(note["column"] as? Int == 1)
    }
}
