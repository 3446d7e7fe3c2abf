import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Types of a program's own")
struct DeclarationTests {
    @Test("MSG-06: a type that a program declares is found by its names and knows its supertypes")
    func declaredTypesAreFound() throws {
        let sketch = UTType.declare(
            "com.example.sketch", conformingTo: [.image], filenameExtensions: ["sketchy"],
            mimeTypes: ["image/x-sketchy"],
            description: "sketch")
        #expect(UTType("com.example.sketch") == sketch && sketch.isDeclared)
        #expect(UTType(filenameExtension: "SKETCHY", conformingTo: .image) == sketch)
        #expect(UTType(mimeType: "image/x-sketchy") == sketch)
        #expect(sketch.conforms(to: .image) && sketch.localizedDescription == "sketch")
        UTType.declare("com.example.sketch", filenameExtensions: ["skt"])
        #expect(sketch.tags[.filenameExtension] == ["sketchy", "skt"] && UTType(filenameExtension: "skt") == sketch)
    }

    @Test("MSG-06: exported and imported types exist from then on, and one that exists is kept as it is")
    func exportedTypesExist() {
        #expect(UTType("com.example.exported") == nil)
        let type = UTType(exportedAs: "com.example.exported", conformingTo: .json)
        #expect(type.isDeclared && type.conforms(to: .text) && UTType("com.example.exported") == type)
        #expect(UTType(importedAs: "public.jpeg", conformingTo: .text).conforms(to: .image))
    }

    @Test("MSG-06: a tag that another type has already stays that one's")
    func declaredTagsDoNotReplace() {
        let type = UTType.declare("com.example.other-picture", conformingTo: [.image], filenameExtensions: ["jpeg"])
        #expect(UTType(filenameExtension: "jpeg") == .jpeg)
        #expect(UTType.types(tag: "jpeg", tagClass: .filenameExtension, conformingTo: .image) == [.jpeg, type])
    }

    @Test("MSG-06: types that conform to each other do not hang")
    func circlesEnd() {
        let first = UTType.declare("com.example.circle-a", conformingTo: [UTType(exportedAs: "com.example.circle-b")])
        let second = UTType.declare("com.example.circle-b", conformingTo: [first])
        #expect(first.conforms(to: second) && second.conforms(to: first) && !first.isSubtype(of: first))
    }
}
