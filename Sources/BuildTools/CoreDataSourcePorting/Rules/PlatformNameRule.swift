import SwiftSyntax

/// Reports names that are useless without Objective-C or outside Apple's systems, with what to do.
enum PlatformNameRule {
    static let advice: [String: String] = [
        "method_exchangeImplementations": swizzling, "class_getInstanceMethod": swizzling,
        "class_addMethod": swizzling, "class_replaceMethod": swizzling,
        "objc_sync_enter": "there is no lock of an object without Objective-C: use NSRecursiveLock",
        "objc_sync_exit": "there is no lock of an object without Objective-C: use NSRecursiveLock",
        "responds": "no method is found by its name without Objective-C: ask for a protocol with 'as?'",
        "instancesRespond": "no method is found by its name without Objective-C: ask for a protocol with 'as?'",
        "performSelector": "no method is called by its name without Objective-C: use a closure",
        "keyValueObservingExpectation":
            "XCTest has no expectation of observed values here: fulfil an XCTestExpectation in observe(_:options:)",
        "XCTKVOExpectation":
            "XCTest has no expectation of observed values here: fulfil an XCTestExpectation in observe(_:options:)",
    ]

    private static let swizzling = "methods cannot be exchanged without Objective-C: override or wrap them"
    private static let dependency = "keyPathsForValuesAffecting"

    /// The advice on a method that is useless without Objective-C; nil for any other method.
    static func advice(on function: FunctionDeclSyntax) -> String? {
        let name = function.name.text
        let labels = function.signature.parameterClause.parameters.map(\.firstName.text)
        if name == "observeValue", labels == ["forKeyPath", "of", "change", "context"] {
            return "conform to KeyValueObserver and leave out 'override' and the call of super, or use "
                + "observe(_:options:changeHandler:)"
        }
        if name.hasPrefix(dependency), name != dependency + "Value", labels.isEmpty {
            return "it is not found by its name: override keyPathsForValuesAffectingValue(forKey:)"
        }
        return nil
    }
}

extension FilePort {
    mutating func checkFunction(_ function: FunctionDeclSyntax) {
        guard let advice = PlatformNameRule.advice(on: function) else { return }
        report(function.name, "\(function.name.text): \(advice)")
    }

    mutating func checkName(_ token: TokenSyntax) {
        guard case .identifier(let name) = token.tokenKind else { return }
        if AliasSource.names.contains(name) { namesAmbiguousType = true }
        if let owner = facts.foreignOwner(of: name, among: imports, outside: module.url), isReference(token) {
            foreignTypes[name] = owner
        }
        if let advice = PlatformNameRule.advice[name], isUse(token) { report(token, "\(name): \(advice)") }
        if !facts.types.contains(name) {
            namesLibrary = namesLibrary || LibraryNames.contains(name)
            namesCoreData = namesCoreData || LibraryNames.isCoreData(name)
            if LibraryNames.isMissing(name), isReference(token) { missingName = missingName ?? name }
        }
    }

    /// Whether a token refers to a declaration by its plain name, not as a member after a dot.
    private func isReference(_ token: TokenSyntax) -> Bool {
        if token.parent?.is(IdentifierTypeSyntax.self) == true { return true }
        guard let reference = token.parent?.as(DeclReferenceExprSyntax.self) else { return false }
        guard let access = reference.parent?.as(MemberAccessExprSyntax.self) else { return true }
        return access.declName.id != reference.id
    }

    /// Whether a token is the name in a call, with a parenthesis after it.
    private func isUse(_ token: TokenSyntax) -> Bool {
        token.parent?.is(DeclReferenceExprSyntax.self) == true
            && token.nextToken(viewMode: .sourceAccurate)?.tokenKind == .leftParen
    }
}
