import CoreDataModelCompiler
import CoreDataModeling
import Testing

@Suite struct ManagedSourceTests {
    @Test("the sources of a repository are the golden ones (TOOL-10)")
    func repositorySourcesAreGolden() throws {
        let classes = try ModelClasses(of: GoldenSources.model())
        let sources = classes.classes.map { ManagedSource($0) }
        let files = sources.flatMap { [$0.classFile, $0.propertiesFile] }
        let golden = try GoldenSources.files("Repository")
        #expect(Set(files.map(\.name)) == Set(golden.keys))
        for file in files { #expect(file.text == golden[file.name], "\(file.name)") }
    }

    @Test("options choose scalars, sets of a class, required values and rules (TOOL-10)")
    func optionsChangeTypes() throws {
        let options = ClassOptions(usesScalars: true, unwrapsRequired: true, typesSets: true, addsValidation: true)
        let classes = try ModelClasses(of: GoldenSources.model(), options: options)
        let source = ManagedSource(try #require(classes["Hero"]), options: options)
        let text = source.propertiesFile.text
        for line in [
            "var rank: Int64\n", "var birthDate: TimeInterval\n", "var name: String\n", "var identifier: UUID\n",
            "var powers: Set<Power>?\n", "func addToPowers(_ values: Set<Power>)\n", "var trophies: NSOrderedSet?\n",
        ] {
            #expect(text.contains(line), "\(line)")
        }
        let rule = "public func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {"
        #expect(source.classFile.text.contains(rule))
        let numbers = try ModelClasses(of: GoldenSources.model(), options: ClassOptions(usesScalars: false))
        #expect(ManagedSource(try #require(numbers["Hero"])).propertiesFile.text.contains("var age: NSNumber?\n"))
    }

    @Test("a snippet is what the sources say of one property (TOOL-13)")
    func snippetIsOneProperty() throws {
        let classes = try ModelClasses(of: GoldenSources.model())
        let source = ManagedSource(try #require(classes["Hero"]))
        #expect(source.snippet(of: "name") == "@NSManaged public var name: String?\n")
        let powers = try #require(source.snippet(of: "powers"))
        #expect(powers.contains("@NSManaged public func removeFromPowers(_ values: NSSet)"))
        #expect(!powers.contains("trophies"))
        #expect(source.snippet(of: "nothing") == nil)
    }
}
