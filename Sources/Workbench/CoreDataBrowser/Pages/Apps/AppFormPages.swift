import CoreData

/// `GET /apps/{app}/forms/{form}/{entity}/{key}`: an object in a form; with `new` as the key, an object that is not yet
/// inserted.
struct AppFormPage: ViewPage {
    let route = Route("GET /apps/{app}/forms/{form}/{entity}/{key}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let app = try call.app
        let (question, kinds) = (call.formQuestion, call.browser.apps.kinds)
        return .json(
            try await app.store.read(for: call.access) {
                try FormAnswer(app, question: question, kinds: kinds, reading: $0).json
            })
    }
}

/// `POST /apps/{app}/forms/{form}/{entity}/{key}`: checks the entered values and answers the steps that store them.
struct AppFormSavingPage: Page {
    let route = Route("POST /apps/{app}/forms/{form}/{entity}/{key}")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let values = try await call.enteredValues()
        let app = try call.app
        let (question, kinds) = (call.formQuestion, call.browser.apps.kinds)
        let (json, isValid) = try await app.store.read(for: call.access) { reading in
            var saving = FormSaving(
                try FormAnswer(app, question: question, kinds: kinds, reading: reading), question: question,
                kinds: kinds)
            saving.enter(values)
            saving.checkAll()
            return (try saving.json(), saving.isValid)
        }
        return .json(json, status: isValid ? 200 : 422)
    }
}

/// `POST /apps/{app}/forms/{form}/{entity}/{key}/check`: checks single fields when the user leaves them.
struct AppFormCheckPage: Page {
    let route = Route("POST /apps/{app}/forms/{form}/{entity}/{key}/check")

    func respond(_ call: PageCall) async throws -> BrowserResponse {
        let values = try await call.enteredValues()
        let app = try call.app
        let (question, kinds) = (call.formQuestion, call.browser.apps.kinds)
        return .json(
            try await app.store.read(for: call.access) { reading in
                var saving = FormSaving(
                    try FormAnswer(app, question: question, kinds: kinds, reading: reading), question: question,
                    kinds: kinds)
                saving.enter(values)
                saving.checkFields()
                return try saving.json()
            })
    }
}

extension PageCall {
    /// The form and the object that the path and the query name.
    var formQuestion: FormQuestion {
        FormQuestion(
            form: parameters["form"] ?? "", entity: parameters["entity"] ?? "", key: parameters["key"] ?? "",
            owner: query["owner"], relationship: query["relationship"], language: language,
            hasPlainNumbers: query["numbers"] == "plain")
    }

    /// The values of a form: the member `values` of the body.
    ///
    /// - Throws: `BrowserFailure` 400 for another body.
    func enteredValues() async throws -> [JSONValue.Member] {
        guard case .members(let values)? = try await json().member("values") else {
            throw BrowserFailure.badRequest("the body is not an object with 'values'")
        }
        return values
    }
}
