import CoreDataFoundation

extension ModelSourceReader {
    func openEntity(_ element: SourceElement) throws -> Context {
        var element = element
        let entity = NSEntityDescription()
        entity.name = try element.takeRequired("name")
        if let className = element.takeText("representedClassName") { entity.managedObjectClassName = className }
        entity.isAbstract = try element.takeFlag("isAbstract") ?? false
        entity.codeGenerationType = element.takeText("codeGenerationType")
        entity.declaredRenamingIdentifier = element.takeText("elementID")
        entity.versionHashModifier = element.takeText("versionHashModifier")
        entity.isSyncable = try element.takeFlag("syncable") ?? true
        takeDisplayName(of: entity, &element)
        let parent = element.takeText("parentEntity")
        entity.notes = element.notes
        note(element)
        try assembly.add(entity, parent: parent, line: element.line)
        return .entity(entity)
    }

    private func takeDisplayName(of entity: NSEntityDescription, _ element: inout SourceElement) {
        guard let text = element.takeText("coreSpotlightDisplayNameExpression") else { return }
        entity.coreSpotlightDisplayNameExpression = try? NSExpression(parsing: text)
        if entity.coreSpotlightDisplayNameExpression == nil {
            element.noteBack("coreSpotlightDisplayNameExpression", text)
        }
    }

    func openFetchIndex(_ element: SourceElement) throws -> Context {
        var element = element
        let index = NSFetchIndexDescription(name: try element.takeRequired("name"), elements: [])
        index.partialIndexPredicateFormat = element.takeText("partialIndexPredicate")
        note(element)
        indexes.append(index)
        assembly.note(line: element.line, of: index)
        return .fetchIndex(index)
    }

    func openIndexElement(_ element: SourceElement) throws -> Context {
        var element = element
        let expression = element.takeText("expression")
        let property = element.takeText("property")
        guard let name = property ?? expression else {
            throw element.malformed("<fetchIndexElement> has neither 'property' nor 'expression'")
        }
        let type: NSFetchIndexElementType
        switch element.take("type") {
        case "Binary", nil: type = .binary
        case "RTree": type = .rTree
        case let other?: throw element.malformed("<fetchIndexElement> has the unknown type '\(other)'")
        }
        let part = NSFetchIndexElementDescription(propertyName: name, collationType: type)
        part.isAscending = element.take("order") != "descending"
        part.expressionText = property == nil ? expression : nil
        part.expressionTypeName = property == nil ? element.takeText("expressionType") : nil
        note(element)
        indexElements.append(part)
        return .leaf
    }

    func openGroupMember(_ element: SourceElement) throws -> Context {
        var element = element
        groups[groups.count - 1].append(try element.takeRequired("value"))
        note(element)
        return .leaf
    }

    func openEntry(_ element: SourceElement) throws -> Context {
        var element = element
        userInfo[element.take("key") ?? ""] = element.take("value") ?? ""
        note(element)
        return .leaf
    }

    func openConfiguration(_ element: SourceElement) throws -> Context {
        var element = element
        openName = try element.takeRequired("name")
        note(element)
        members = []
        assembly.configurations.append((openName, [], element.line))
        return .configuration
    }

    func openMember(_ element: SourceElement) throws -> Context {
        var element = element
        members.append(try element.takeRequired("name"))
        note(element)
        return .leaf
    }

    func closeConfiguration() {
        guard let last = assembly.configurations.popLast() else { return }
        assembly.configurations.append((last.name, members, last.line))
    }

    func openComposite(_ element: SourceElement) throws -> Context {
        var element = element
        openName = try element.takeRequired("name")
        guard composites[openName] == nil else {
            throw element.malformed("there are two composites named '\(openName)'")
        }
        note(element)
        compositeElements = []
        return .composite
    }

    /// Gives every composite attribute copies of the elements of its composite.
    ///
    /// - Throws: `ModelingError` if a composite is unknown, contains itself, or nests or grows beyond reason.
    func resolveComposites() throws {
        var remaining = 100_000
        var open = compositeUses.map { (attribute: $0.attribute, line: $0.line, path: [String]()) }
        while let use = open.popLast() {
            let name = use.attribute.compositeName ?? ""
            guard let elements = composites[name] else {
                throw assembly.invalid(
                    "'\(use.attribute.qualifiedName)' names the unknown composite '\(name)'", use.line)
            }
            guard !use.path.contains(name), use.path.count < 16 else {
                throw assembly.invalid("the composite '\(name)' contains itself", use.line)
            }
            remaining -= elements.count
            guard remaining >= 0 else {
                throw ModelingError(.limitExceeded, "the model's composites grow beyond all measure", line: use.line)
            }
            let copies = elements.compactMap { $0.copy() as? NSAttributeDescription }
            use.attribute.elements = copies
            for case let nested as NSCompositeAttributeDescription in copies {
                open.append((nested, use.line, use.path + [name]))
            }
        }
    }
}
