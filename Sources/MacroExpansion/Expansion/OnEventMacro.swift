/// Expands the macro that exports an event handler, or returns nil and adds problems.
///
/// The compiler has checked the arguments against the macro's declaration. The expansion passes
/// them unchanged to a method with the same parameters.
func expandOnEvent(
  _ request: HostMessage.FreestandingMacro, _ source: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let free = FreeRecord(request, source, .onEvent, configuration, &problems)
  let arguments = HandlerArguments(source, &problems)
  guard problems.isEmpty else { return nil }

  var json = JSONObject()
  json.set("event", arguments.event)
  json.set("handler", free.location.name)
  if arguments.priority != 0 { json.set("priority", arguments.priority) }
  if arguments.once { json.set("once", true) }
  let handler = """
    return unsafe Lifecycle::__provideHandler(__out, __type) { __handlers in
    \(CallText(source, at: request.syntax.location).statement(calling: "on", of: "__handlers"))
    }
    """
  return free.text(kind: Record.handler, accessor: handler, json: json)
}
