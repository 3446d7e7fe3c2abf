import CoreDataFoundation

extension ModelSourceReader {
    func openEntity(_ element: SourceElement) -> Context {
        var element = element
        let entity = NSEntityDescription()
        entity.name = element.takeRequired("name")
        if let className = element.takeText("representedClassName") { entity.managedObjectClassName = className }
        entity.isAbstract = element.takeFlag("isAbstract") ?? false
        entity.codeGenerationType = element.takeText("codeGenerationType")
        entity.declaredRenamingIdentifier = element.takeText("elementID")
        entity.versionHashModifier = element.takeText("versionHashModifier")
        entity.isSyncable = element.takeFlag("syncable") ?? true
        takeDisplayName(of: entity, &element)
        let parent = element.takeText("parentEntity")
        entity.notes = element.notes
        note(element)
        faults.entity = entity.name
        assembly.add(entity, parent: parent, place: element.place)
        return .entity(entity)
    }

    private func takeDisplayName(of entity: NSEntityDescription, _ element: inout SourceElement) {
        guard let text = element.takeText("coreSpotlightDisplayNameExpression") else { return }
        entity.coreSpotlightDisplayNameExpression = try? NSExpression(parsing: text)
        if entity.coreSpotlightDisplayNameExpression == nil {
            element.noteBack("coreSpotlightDisplayNameExpression", text)
        }
    }

    func openFetchIndex(_ element: SourceElement) -> Context {
        var element = element
        let index = NSFetchIndexDescription(name: element.takeRequired("name"), elements: [])
        index.partialIndexPredicateFormat = element.takeText("partialIndexPredicate")
        note(element)
        indexes.append(index)
        assembly.note(element.place, of: index)
        return .fetchIndex(index)
    }

    func openIndexElement(_ element: SourceElement) -> Context {
        var element = element
        let expression = element.takeText("expression")
        let property = element.takeText("property")
        guard let name = property ?? expression else {
            element.fault("<fetchIndexElement> has neither 'property' nor 'expression'")
            return .leaf
        }
        var type = NSFetchIndexElementType.binary
        switch element.take("type") {
        case "Binary", nil: break
        case "RTree": type = .rTree
        case let other?: element.noteBack("type", other)
        }
        let part = NSFetchIndexElementDescription(propertyName: name, collationType: type)
        part.isAscending = element.take("order") != "descending"
        part.expressionText = property == nil ? expression : nil
        part.expressionTypeName = property == nil ? element.takeText("expressionType") : nil
        note(element)
        indexElements.append(part)
        return .leaf
    }

    func openGroupMember(_ element: SourceElement) -> Context {
        var element = element
        groups[groups.count - 1].append(element.takeRequired("value"))
        note(element)
        return .leaf
    }

    func openEntry(_ element: SourceElement) -> Context {
        var element = element
        userInfo[element.take("key") ?? ""] = element.take("value") ?? ""
        note(element)
        return .leaf
    }

    func openConfiguration(_ element: SourceElement) -> Context {
        var element = element
        openName = element.takeRequired("name")
        note(element)
        members = []
        assembly.configurations.append((openName, [], element.place))
        return .configuration
    }

    func openMember(_ element: SourceElement) -> Context {
        var element = element
        members.append(element.takeRequired("name"))
        note(element)
        return .leaf
    }

    func closeConfiguration() {
        guard let last = assembly.configurations.popLast() else { return }
        assembly.configurations.append((last.name, members, last.place))
    }

    func openComposite(_ element: SourceElement) -> Context {
        var element = element
        openName = element.takeRequired("name")
        note(element)
        compositeElements = []
        assembly.composites.append((openName, [], element.place))
        return .composite
    }

    func closeComposite() {
        guard let last = assembly.composites.popLast() else { return }
        assembly.composites.append((last.name, compositeElements, last.place))
    }

    /// Sets the elements of every composite attribute to copies of those of its composite; the rules for composites
    /// must have been checked.
    ///
    /// - Throws: `ModelingError` `.limitExceeded` if the composites expand to more than 100,000 elements.
    func resolveComposites() throws {
        let composites = Dictionary(assembly.composites.map { ($0.name, $0.elements) }) { first, _ in first }
        var remaining = 100_000
        var open = compositeUses
        while let use = open.popLast() {
            let elements = composites[use.compositeName ?? ""] ?? []
            remaining -= elements.count
            guard remaining >= 0 else {
                let line = assembly.place(of: use)?.line
                throw ModelingError(.limitExceeded, "the model's composites grow beyond all measure", line: line)
            }
            let copies = elements.compactMap { $0.copy() as? NSAttributeDescription }
            use.elements = copies
            open += copies.compactMap { $0 as? NSCompositeAttributeDescription }
        }
    }
}
