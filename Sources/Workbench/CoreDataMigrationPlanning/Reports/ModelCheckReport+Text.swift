import CoreData

extension ModelCheckReport.Version {
    /// `path:line:column: error: Entity.property: sentence [rule]`; one line for each finding.
    package var lines: [String] {
        findings.map { finding in
            let place = finding.place.map { ":\($0.line):\($0.column)" } ?? ""
            let subject = finding.subject.map { "\($0): " } ?? ""
            let text =
                "\(path)\(place): \(finding.rule.severity.rawValue): \(subject)\(finding.text) [\(finding.rule.identifier)]"
            return PrintableText.escaped(text, limit: 2000)
        }
    }

    /// The findings as workflow commands of GitHub Actions, which annotates the lines of a pull request with them.
    package var annotations: [String] {
        findings.map { finding in
            var command = finding.rule.severity == .note ? "notice" : finding.rule.severity.rawValue
            command += " file=\(Self.escaped(path, inProperty: true))"
            if let place = finding.place { command += ",line=\(place.line),col=\(place.column)" }
            command += ",title=\(finding.rule.identifier)"
            let subject = finding.subject.map { "\($0): " } ?? ""
            let text = PrintableText.escaped("\(subject)\(finding.text)", limit: 2000)
            return "::\(command)::\(Self.escaped(text, inProperty: false))"
        }
    }

    private static func escaped(_ text: String, inProperty: Bool) -> String {
        let plain = text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
        return inProperty ? plain.replacing(":", with: "%3A").replacing(",", with: "%2C") : plain
    }

    /// The version with its findings.
    package var json: JSONValue {
        .object([
            ("name", .string(name)), ("path", .string(path)), ("findings", .array(findings.map(\.json))),
        ])
    }
}

extension ModelCheckReport {
    /// A line with the number of findings of each severity and the number of versions.
    package static func summary(_ reports: [ModelCheckReport]) -> String {
        let counts = ModelRule.Severity.allCases.map { severity in
            let count = reports.reduce(0) { $0 + $1.count(severity) }
            return "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
        }
        let versions = reports.reduce(0) { $0 + $1.versions.count }
        return counts.joined(separator: ", ") + " in \(versions) version\(versions == 1 ? "" : "s")"
    }

    /// All versions of several reports with their findings, and the numbers of findings by severity.
    package static func json(_ reports: [ModelCheckReport]) -> JSONValue {
        let counts = ModelRule.Severity.allCases.map { severity in
            ("\(severity.rawValue)s", JSONValue.count(reports.reduce(0) { $0 + $1.count(severity) }))
        }
        return .object([
            ("versions", .array(reports.flatMap(\.versions).map(\.json))), ("summary", .object(counts)),
        ])
    }
}

extension ModelFinding {
    /// The message with its hint.
    fileprivate var text: String { hint.map { "\(message) (\($0))" } ?? message }

    fileprivate var json: JSONValue {
        .object([
            ("rule", .string(rule.identifier)), ("severity", .string(rule.severity.rawValue)),
            ("line", .count(place?.line)), ("column", .count(place?.column)), ("entity", .text(entity)),
            ("property", .text(property)), ("message", .string(message)), ("hint", .text(hint)),
            ("remedy", .string(rule.remedy)),
        ])
    }
}

extension ModelRule {
    /// The rule with its statement and its remedy.
    package var json: JSONValue {
        .object([
            ("rule", .string(identifier)), ("severity", .string(severity.rawValue)), ("statement", .string(statement)),
            ("remedy", .string(remedy)),
        ])
    }
}
