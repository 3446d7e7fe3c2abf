/// The file that settles which of two types of one name a module means: Foundation has them too, of less use here.
///
/// It imports only the library: there the library's type is the one that is seen. The aliases are public, so that what is
/// public in the module may name them; other modules see the same types by them.
package enum AliasSource {
    /// The name of the file.
    package static let fileName = "CoreDataAliases.swift"

    /// The names that a file which imports both finds ambiguous.
    package static let names = ["NSExpression", "NSComparisonPredicate", "NSCompoundPredicate"]

    package static var file: GeneratedFile { file(without: []) }

    /// The file without names that the module declares as types or aliases.
    package static func file(without own: Set<String>) -> GeneratedFile {
        let names = names.filter { !own.contains($0) }
        var source = SourceText(head: [fileName, "", SourceText.untouchable])
        if !names.isEmpty { source.add("", "import CoreData", "") }
        source.add(names.map { "public typealias \($0) = CoreData.\($0)" })
        return GeneratedFile(name: fileName, text: source.text)
    }
}
