import SwiftSyntax

/// On Apple's systems, UIKit and similar modules re-export Foundation and Core Data, and Foundation is complete. A
/// source that relies on this gets the imports that it lacks elsewhere.
extension FilePort {
    mutating func addMissingImports() {
        // A source without any import needs no names of these modules.
        guard !imports.isEmpty || !guardedImports.isEmpty else { return }
        addObservation()
        let isKnown = facts.libraryFolders.contains(module.url.path)
        if namesLibrary && isKnown || namesCoreData || missingName != nil {
            guard !imports.contains("CoreData") else { return }
            addImport(of: "CoreData")
            if !isKnown, let missingName {
                note("\(missingName) comes from the library here: its target needs the product CoreData")
            }
        } else if !guardedImports.isDisjoint(with: Self.umbrellas),
            imports.isDisjoint(with: ["Foundation", "CoreData", "SwiftData", "XCTest"])
        {
            addImport(of: "Foundation")
        }
    }

    /// SwiftUI and SwiftData re-export Observation.
    private mutating func addObservation() {
        guard guardedImports.contains("SwiftUI"), imports.isDisjoint(with: ["Observation", "SwiftData"]) else { return }
        var isObserved = false
        SyntaxWalk.visit(tree) { node, _ in
            let place = node.positionAfterSkippingLeadingTrivia.utf8Offset
            if let token = node.as(TokenSyntax.self), Self.observationNames.contains(token.text),
                !gated.contains(where: { $0.contains(place) })
            {
                isObserved = true
            }
            return !isObserved
        }
        if isObserved { addImport(of: "Observation") }
    }

    private static let observationNames: Set = ["Observable", "ObservationIgnored", "withObservationTracking"]

    /// The modules of Apple's that re-export Foundation.
    private static var umbrellas: Set<String> {
        [
            "UIKit", "AppKit", "Cocoa", "SwiftUI", "Combine", "CloudKit", "MapKit", "CoreLocation", "WatchKit",
            "WidgetKit",
        ]
    }

    /// Adds the imports of another file that this one lacks, since a member moved from that file may need them.
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

    /// The offset at which to insert an import: before the first import, otherwise before the first statement.
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
