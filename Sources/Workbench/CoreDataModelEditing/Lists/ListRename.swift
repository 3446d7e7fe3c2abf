import CoreDataModeling

/// Renames a property in the property lists of an application: in `Application.plist` and in the forms that it names.
package struct ListRename {
    private let rename: KeyRename
    /// The changes of the files whose text changes.
    package private(set) var changes: [FileChange] = []
    /// Sentences about files and predicates that could not be changed.
    package private(set) var notes: [String] = []
    /// The forms that are still to be read, each with the entity of the objects that it shows.
    private var open: [(file: String, owner: DocumentNames.Owner)] = []

    /// Finds the changes in the application in a folder, without writing them.
    ///
    /// - Parameter document: the model before the property was renamed.
    /// - Throws: `ModelEditError` or `ModelingError` if the folder does not contain an application.
    package init(of name: String, in entity: String, to newName: String, _ document: ModelDocument, folder: URL) throws
    {
        rename = KeyRename(names: DocumentNames(document), owner: .entity(entity), from: name, to: newName)
        try change("Application", in: folder, isRequired: true) { rename, list, values in
            for node in list["lists"]?.elements ?? [] { rename.visit(list: node, &values) }
        }
        var seen = Set<String>()
        while let (file, owner) = open.popLast() {
            // Forms can refer to each other in a cycle; one form can be used for several entities.
            guard seen.insert("\(file) \(owner)").inserted else { continue }
            try change(file, in: folder, isRequired: false) { $0.visit(form: $1, of: owner, &$2) }
        }
    }

    /// The new texts, by the ranges of the texts that they replace.
    private typealias Values = [(range: Range<String.Index>, text: String)]

    private mutating func change(
        _ name: String, in folder: URL, isRequired: Bool,
        _ body: (inout ListRename, ListText.Node, inout Values) -> Void
    ) throws {
        let url = folder.appendingPathComponent(name + ".plist")
        guard !name.contains("/"), isRequired || FileManager.default.fileExists(atPath: url.path) else { return }
        let place = changes.firstIndex { $0.url == url }
        switch try ListFile(url, in: folder, present: place.map { changes[$0].after }) {
        case .kept(let note): notes.append(note)
        case .read(let before, let list):
            var values: Values = []
            body(&self, list.root, &values)
            guard !values.isEmpty else { return }
            if let place { changes.remove(at: place) }
            changes.append(FileChange(url, before: before, after: Data(list.replacing(values).utf8)))
        }
    }
}

// MARK: - Lists

extension ListRename {
    private mutating func visit(list: ListText.Node, _ values: inout Values) {
        guard let entity = list["entity"]?.string else { return }
        let owner = DocumentNames.Owner.entity(entity)
        for key in ["parentKey", "orderKey", "rowColorKey"] { follow(list[key], owner: owner, values: &values) }
        followPredicate(list["predicate"], owner: owner, values: &values)
        for tab in list["tabs"]?.elements ?? [] {
            for key in ["titleKey", "subtitleKey", "sectionKey"] { follow(tab[key], owner: owner, values: &values) }
            for key in ["titleKeys", "subtitleKeys"] {
                for node in tab[key]?.elements ?? [] { follow(node, owner: owner, values: &values) }
            }
            for sort in tab["sort"]?.elements ?? [] { follow(sort["key"], owner: owner, values: &values) }
        }
        for key in list["search"]?["keys"]?.elements ?? [] { follow(key, owner: owner, values: &values) }
        for scope in list["search"]?["scopes"]?.elements ?? [] {
            followPredicate(scope["predicate"], owner: owner, values: &values)
        }
        openForm(list["detail"], owner)
        for member in list["details"]?.members ?? [] { openForm(member.value, .entity(member.key)) }
        for kind in list["kinds"]?.elements ?? [] {
            let inner = DocumentNames.Owner.entity(kind["entity"]?.string ?? entity)
            follow(kind["nameKey"], owner: inner, values: &values)
            openForm(kind["detail"], inner)
        }
    }

    private mutating func visit(form: ListText.Node, of owner: DocumentNames.Owner, _ values: inout Values) {
        for section in form["sections"]?.elements ?? [] {
            var target: DocumentNames.Owner?
            for row in section["rows"]?.elements ?? [] {
                let end = follow(row["key"], owner: owner, values: &values)
                target = target ?? end
                if let end { openForm(row["detail"], end) }
            }
            guard let target else { continue }
            for key in ["displayKey", "sortKey"] { follow(section[key], owner: target, values: &values) }
        }
        for row in ((form["paired"] ?? form)["rowKeys"]?.elements ?? []).flatMap(\.elements) {
            follow(row, owner: owner, values: &values)
        }
    }

    private mutating func openForm(_ node: ListText.Node?, _ owner: DocumentNames.Owner) {
        if let file = node?.string { open.append((file, owner)) }
    }

    /// Notes the new text of a key path that contains the property; returns the entity or composite that the path leads
    /// to.
    @discardableResult
    private func follow(
        _ node: ListText.Node?, owner: DocumentNames.Owner, values: inout Values
    ) -> DocumentNames.Owner? {
        guard case .text(let text, let range)? = node else { return nil }
        let (path, target) = rename.followed(text, from: owner)
        if path != text { values.append((range, path)) }
        return target
    }

    private mutating func followPredicate(
        _ node: ListText.Node?, owner: DocumentNames.Owner, values: inout Values
    ) {
        guard case .text(let text, let range)? = node else { return }
        guard let followed = rename.followed(predicate: text, of: owner) else {
            notes.append("a predicate of 'Application.plist' cannot be read, and stays as it is: \(text)")
            return
        }
        if followed != text { values.append((range, followed)) }
    }
}
