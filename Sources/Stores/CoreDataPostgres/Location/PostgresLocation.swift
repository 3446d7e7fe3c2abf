import CoreDataSQL
import PostgresKit

/// Where a store is: a server, a database there, and a schema in it, by a `postgresql://` URL.
///
/// The URL is libpq's, with three parameters more: `schema`, the name of the schema, `coredata` unless given; `pgbouncer=true` where a
/// pooler gives each transaction another connection, on which nothing can be prepared; and `sqlrole`, as whom people ask by statements of
/// their own. The user and everything that libpq takes from its environment, service and password files is as with every other of its
/// programs. Source: PostgreSQL 15, section 34.1 of its documentation.
struct PostgresLocation: Sendable {
    static let schemes: Set<String> = ["postgresql", "postgres"]
    private static let defaultSchema = "coredata"
    /// Names of more bytes are cut by the server without a word.
    static let longestName = 63

    private(set) var parameters: ConnectionParameters
    /// Whether several hosts are named, of which one takes writes.
    private(set) var hasSeveralHosts: Bool
    let schema: String
    /// Whether the server's connections are the program's own, so that statements can be prepared.
    let preparesStatements: Bool
    /// As whom statements that people write are carried out; nil for the URL's own user.
    let statementRole: String?
    /// The URL as it may be shown: without a password.
    let publicURL: URL

    /// - Throws: `NSPersistentStoreOpenError` saying what is wrong with the URL.
    init(_ url: URL) throws {
        RoundTripReporting.install()
        guard let scheme = url.scheme?.lowercased(), Self.schemes.contains(scheme) else {
            throw Self.refusal(url, "its URL does not begin with postgresql://", hint: "Give a postgresql:// URL.")
        }
        var text = url.absoluteString
        let schemas = Self.take("schema", from: &text)
        schema = schemas.last ?? Self.defaultSchema
        preparesStatements = Self.take("pgbouncer", from: &text).last != "true"
        statementRole = Self.take("sqlrole", from: &text).last
        publicURL = url.withoutPasswords
        guard !schema.isEmpty, schema.utf8.count <= Self.longestName, !schema.utf8.contains(0) else {
            throw Self.refusal(
                publicURL, "the name of its schema is empty or longer than \(Self.longestName) bytes",
                hint: "Give another name after ?schema=.")
        }
        do {
            let given = try ConnectionParameters(url: text)
            parameters = Self.completed(given)
            hasSeveralHosts = Self.hosts(given).count > 1
        } catch {
            throw Self.refusal(publicURL, error.message, hint: "See section 34.1.1.2 of PostgreSQL's documentation.")
        }
    }

    /// Connects to the server, or to the first of several hosts that is as the URL wants it; it is asked after so much silence
    /// whether it still works.
    func connect(
        timeout: Duration, silence: Duration = PostgresSettings.usualSilence
    ) throws(PostgresError) -> PostgresConnection {
        let connection = try HostSearch(parameters).open(timeout: timeout)
        connection.usesPreparedStatements = preparesStatements
        connection.watchedName = "\(connection.databaseName)|\(schema)"
        do throws(PostgresError) {
            try connection.checkLiveness(
                after: silence, of: parameters, timeout: timeout, identifies: preparesStatements)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }

    /// Each of several hosts, connected to only as long as it is a replica; none where one host is named.
    var replicas: [PostgresLocation] {
        let hosts = parameters.ofEachHost
        guard hosts.count > 1 else { return [] }
        return hosts.map { host in
            var location = self
            location.parameters = host
            location.parameters.set("target_session_attrs", "standby")
            location.hasSeveralHosts = false
            return location
        }
    }

    /// Connects as whom statements that people write are carried out; the password of another role is in libpq's own places.
    func connectForStatements(timeout: Duration) throws(PostgresError) -> PostgresConnection {
        var parameters = parameters
        if let statementRole {
            parameters.set("user", statementRole)
            parameters.remove("password")
        }
        return try HostSearch(parameters).open(timeout: timeout)
    }

    /// What one program at a time does with a store.
    enum Lock: Int {
        /// Makes its tables, or changes them.
        case shape = 0
        /// Sees to its history's tables.
        case history = 1
        /// Leads it to another version, in whatever number of steps.
        case migration = 2
    }

    /// The statement that waits until no other transaction has a lock, and keeps it until its own ends.
    func lock(_ lock: Lock) -> PostgresStatement {
        PostgresStatement(
            "SELECT pg_advisory_xact_lock(hashtextextended($1::text, \(lock.rawValue)))", [.text(schema)])
    }

    /// Adds the client encoding, a fallback application name, and defaults for parameters that are not set.
    ///
    /// The defaults are TCP keepalives, the writable one of several hosts, and `sslmode=verify-full` for a server on
    /// another machine.
    private static func completed(_ given: ConnectionParameters) -> ConnectionParameters {
        var parameters = given
        parameters.set("fallback_application_name", "OpenCoreData")
        parameters.set("client_encoding", "UTF8")
        let environment = ProcessInfo.processInfo.environment
        let hosts = hosts(given)
        if hosts.count > 1, given["target_session_attrs"] == nil, environment["PGTARGETSESSIONATTRS"] == nil {
            parameters.set("target_session_attrs", "read-write")
        }
        for (keyword, value) in HostSearch.keepalives(ofSeveral: hosts.count > 1) where given[keyword] == nil {
            parameters.set(keyword, value)
        }
        let isOfThisMachine = hosts.allSatisfy { isLocal(String($0)) } && given["service"] == nil
        if !isOfThisMachine, given["sslmode"] == nil, environment["PGSSLMODE"] == nil {
            parameters.set("sslmode", "verify-full")
        }
        return parameters
    }

    private static func hosts(_ given: ConnectionParameters) -> [Substring] {
        let named = given["host"] ?? given["hostaddr"] ?? ProcessInfo.processInfo.environment["PGHOST"] ?? ""
        return named.split(separator: ",")
    }

    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }

    /// Takes a parameter out of the query of a URL, and gives its values.
    private static func take(_ name: String, from text: inout String) -> [String] {
        guard let mark = text.firstIndex(of: "?") else { return [] }
        var values: [String] = []
        let kept = text[text.index(after: mark)...].split(separator: "&").filter { item in
            guard item == name || item.hasPrefix(name + "=") else { return true }
            values.append(String(item.dropFirst(name.count + 1)).removingPercentEncoding ?? "")
            return false
        }
        text = text[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
        return values
    }

    /// The URL of another schema in the same database.
    static func url(_ url: URL, schema: String) -> URL {
        var text = url.absoluteString
        _ = take("schema", from: &text)
        let name = schema.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? schema
        return URL(string: text + (text.contains("?") ? "&" : "?") + "schema=\(name)") ?? url
    }

    static func refusal(_ url: URL, _ reason: String, hint: String) -> NSError {
        let place = url.withoutPasswords.absoluteString
        return CoreDataError.make(
            NSPersistentStoreOpenError, "The store '\(place)' cannot be opened: \(reason).", reason: reason, hint: hint)
    }
}
