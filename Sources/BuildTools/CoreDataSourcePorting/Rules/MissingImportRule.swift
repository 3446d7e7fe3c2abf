import SwiftSyntax

/// Modules of Apple's bring Foundation and Core Data along, and Foundation's own classes are complete there: a source that
/// relies on that gets the import that it lacks.
extension FilePort {
    mutating func addMissingImports() {
        // A source without imports is part of one that has them, or says nothing that needs them.
        guard !imports.isEmpty || !guardedImports.isEmpty else { return }
        let isKnown = facts.libraryFolders.contains(module.url.path)
        if namesLibrary && isKnown || namesCoreData || missingName != nil {
            guard !imports.contains("CoreData") else { return }
            addImport(of: "CoreData")
            if !isKnown, let missingName {
                note("\(missingName) comes from the library here: its target needs the product CoreData")
            }
        } else if !guardedImports.isDisjoint(with: Self.umbrellas),
            imports.isDisjoint(with: ["Foundation", "CoreData", "XCTest"])
        {
            addImport(of: "Foundation")
        }
    }

    /// Modules that bring Foundation along.
    private static var umbrellas: Set<String> {
        [
            "UIKit", "AppKit", "Cocoa", "SwiftUI", "Combine", "CloudKit", "MapKit", "CoreLocation", "WatchKit",
            "WidgetKit",
        ]
    }

    /// Adds what another file imports and this one does not, for the sake of code that comes from there.
    mutating func addImports(of other: FilePort) {
        for name in other.imports.subtracting(imports).subtracting(["Foundation"]).sorted() { addImport(of: name) }
    }

    private mutating func addImport(of name: String) {
        guard imports.insert(name).inserted else { return }
        let line = "import \(name)"
        let place = importPlace
        if place.isBeforeImport {
            edit(place.offset..<place.offset, line + source.newline + source.indent(at: place.offset))
        } else {
            edit(place.offset..<place.offset, line + source.newline + source.newline)
        }
    }

    /// Where an import is to stand: before the first one, or before the source's first statement.
    private var importPlace: (offset: Int, isBeforeImport: Bool) {
        for item in tree.statements {
            let isImport = item.item.is(ImportDeclSyntax.self)
            if isImport, !gated.contains(where: { $0.contains(item.bytes.lowerBound) }) {
                return (item.bytes.lowerBound, true)
            }
            if let config = item.item.as(IfConfigDeclSyntax.self),
                config.description.contains("import ")
            {
                return (item.bytes.lowerBound, true)
            }
        }
        guard let first = tree.statements.first else { return (source.bytes.count, false) }
        return (first.commentedStart, false)
    }
}
