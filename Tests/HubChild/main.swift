// A hub in a process of its own: HubChild FOLDER [plain].
try ServedHub.run()
