/// The file that resolves ambiguous type names in a module: Foundation has types of these names too, with fewer
/// features.
///
/// The file imports only this library, so that the names in it mean the library's types. The aliases are public, so
/// that public declarations of the module may use them; other modules see the same types through them.
package enum AliasSource {
    /// The name of the file.
    package static let fileName = "CoreDataAliases.swift"

    /// The names that are ambiguous in a file that imports both this library and Foundation.
    package static let names = ["NSExpression", "NSComparisonPredicate", "NSCompoundPredicate"]

    package static var file: GeneratedFile { file(without: []) }

    /// The file, without aliases for names that the module itself declares as types or aliases.
    package static func file(without own: Set<String>) -> GeneratedFile {
        let names = names.filter { !own.contains($0) }
        var source = SourceText(head: [fileName, "", SourceText.untouchable])
        if !names.isEmpty { source.add("", "import CoreData", "") }
        source.add(names.map { "public typealias \($0) = CoreData.\($0)" })
        return GeneratedFile(name: fileName, text: source.text)
    }
}
