import CoreDataModelCompiler
import CoreDataModeling
import Testing

@Suite struct AccessorSourceTests {
    @Test("the build's sources of a model are the golden ones, by each entity's setting (TOOL-02, KVC-05)")
    func buildSourcesAreGolden() throws {
        let classes = try ModelClasses(of: GoldenSources.model())
        var files = classes.generated.flatMap { AccessorSource($0, among: classes).files }
        files.append(PropertyTableSource(classes.generated).file)
        files.append(AliasSource.file)
        let golden = try GoldenSources.files("Build")
        #expect(Set(files.map(\.name)) == Set(golden.keys))
        for file in files { #expect(file.text == golden[file.name], "\(file.name)") }
    }

    @Test func numbersAreAskedBelowClassesWrittenByHand() throws {
        let classes = try ModelClasses(of: GoldenSources.model())
        let gadget = try #require(classes["Gadget"])
        let text = try #require(AccessorSource(gadget, among: classes).files.last?.text)
        #expect(text.contains("PropertyTable.of(Power.self).keys.count"))
        #expect(text.contains("get { attribute(firstNumberOfGadget) }"))
    }
}
